"""Characters to be persuaded: packs of who they are, what they say, and what moves them."""

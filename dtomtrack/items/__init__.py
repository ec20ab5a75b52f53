"""What is asked anywhere: items, where they come from, and how answers to them are read."""

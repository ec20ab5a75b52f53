"""New recommendation dialogues with questions of RecToM's ten types: nothing in them is from the published files."""

"""Questions of any origin: items, where they come from, and how answers to them are read."""

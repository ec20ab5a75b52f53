"""Items in a dataset folder: the suite of what was imported, and how further suites store theirs."""

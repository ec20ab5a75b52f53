"""The commands of ``dtomtrack import``, a file each. They are imported with the command line, so they import little."""

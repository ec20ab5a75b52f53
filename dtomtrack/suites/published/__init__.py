"""Benchmarks that were published as a folder of files: finding the files, reading them strictly, importing them."""

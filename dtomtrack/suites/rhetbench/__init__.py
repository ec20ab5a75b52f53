"""RhetBench: persuade a character whose mind can't be seen, and learn from tone alone what works."""

"""Mental states: scenarios, dialogues, who held what when, and questions about it."""

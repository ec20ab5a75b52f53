"""Conversations in which one person wants to win another over: packs of goals, and plans of what happens in them."""

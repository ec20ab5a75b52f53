"""RecToM (Li, Shi & Deng, AAAI 2026): minds in recommendation dialogues, as a suite."""

"""The closed loop: six turns against a listener whose way of listening is hidden, and whose attitude is observed."""

"""Learns the weights of the ranking from questions whose answer is known."""

"""The strategy `autolink`: an agent that explores."""

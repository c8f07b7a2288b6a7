"""Learning from queries that people ran."""

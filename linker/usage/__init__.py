"""Usage statistics from query logs: tables and columns that queries read, and their joins."""

"""
Learning from queries that people ran: which tables and columns they use, and how they join them.
"""

"""
Doors: one resident process that answers agents, programs and people from the profiles and the
warehouse.
"""

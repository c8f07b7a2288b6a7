"""
Public suites, one module a suite, and what only they need.

Nothing of them is part of this project: each is read from the folder that the user downloaded.
"""

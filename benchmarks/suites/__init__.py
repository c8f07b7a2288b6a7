"""
Public suites, one module each.

No suite is part of this project: each is read from the folder that the user downloaded.
"""

"""Figures as a page that is kept and read as a diff, beside what papers report."""

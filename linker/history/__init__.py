"""History: runs, what tables were like after them, and how they differ."""

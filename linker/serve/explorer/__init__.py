"""The explorer: pages for people, the same from a server and as files."""

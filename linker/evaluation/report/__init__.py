"""What was measured, shown: a page for a browser, tables for a terminal and for Markdown, and JSON for programs."""

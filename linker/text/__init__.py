"""Text analysis: words, values, dates, periods and durations, from text alone."""

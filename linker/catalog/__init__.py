"""The catalog: profile tables as records, and index documents made of them."""

"""Language models through pydantic-ai."""

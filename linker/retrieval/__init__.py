"""Retrieval: hybrid search for columns and tables, passages of documents, and reranking."""

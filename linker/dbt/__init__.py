"""dbt: its connection, its process, its manifest and the project that ships with linker."""

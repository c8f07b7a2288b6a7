"""Benchmarks of linker: public suites, published baselines, and performance measurements."""

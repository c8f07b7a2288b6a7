"""
Comparison of linker with others: public suites, reference baselines, and the scripts that measure
the product.
"""

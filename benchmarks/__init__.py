"""What linker is compared on and with: public suites, reference baselines, and the scripts that measure the product."""

"""
Fits the polynomial of the offline encoder's GELU: `python -m benchmarks.fit_gelu`; needs scipy.
"""

import sys

import numpy as np
from scipy.special import erfc, log_ndtr  # type: ignore[import-untyped]

DEGREE = 6
ROUNDS = 60


def main() -> None:
    x = np.linspace(1e-3, 6.5, 20_001)
    wanted = (log_ndtr(x) - log_ndtr(-x)) / x
    share = 1 / (1 + np.exp(-wanted * x))
    weights = x * share * (1 - share) * x + 1e-9
    powers = np.vander(x * x / 40, DEGREE + 1, increasing=True)
    for _ in range(ROUNDS):
        found = np.linalg.lstsq(powers * weights[:, None], wanted * weights, rcond=None)[0]
        errors = np.abs(x / (1 + np.exp(-x * (powers @ found))) - x * share)
        weights *= (1 + errors / errors.max()) ** 0.7
    coefficients = found / 40.0 ** np.arange(DEGREE + 1)
    sys.stdout.write(", ".join(f"{coefficient:.9g}" for coefficient in coefficients) + "\n")
    sys.stdout.write(f"largest error in float32: {_error(coefficients):.1e}\n")


def _error(coefficients: np.ndarray) -> float:
    values = np.linspace(-30, 30, 1_000_001).astype(np.float32)
    exponents = (
        np.polynomial.polynomial.polyval(values * values, coefficients.astype(np.float32)) * values
    )
    with np.errstate(over="ignore"):
        approximate = values / (1 + np.exp(-exponents))
    exact = values.astype(np.float64) * 0.5 * erfc(-values.astype(np.float64) / np.sqrt(2))
    return float(np.abs(approximate - exact).max())


if __name__ == "__main__":
    main()

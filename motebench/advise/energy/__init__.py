"""Energy and battery life, modelled from time and supply current; ``docs/energy.md`` has the formulas."""

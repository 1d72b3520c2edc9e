"""Energy and battery life, modelled from time and supply current; ``docs/explain/energy.md``
has the formulas.
"""

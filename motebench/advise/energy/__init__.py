"""Energy and battery life, modelled from time and supply current; ``docs/use/energy.md`` has the
formulas.
"""

"""Reference results: what the simulated boards give for every implementation, kept in
``catalog/reference``.
"""

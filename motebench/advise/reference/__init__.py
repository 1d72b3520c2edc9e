"""Reference results of every implementation on the simulated boards, kept in
``catalog/reference``.
"""

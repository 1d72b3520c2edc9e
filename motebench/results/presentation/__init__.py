"""What tables, reports, exports and choices share: rows of a result document with the words of a
reader.
"""

"""A lab's boards, described in one file, and the processes that measure on them from several lab
hosts.
"""

"""Families of tests: each module holds the tests of one kind of claim, and names them in ``TESTS``.

A test is a pure function of typed keyword arguments that returns what it found. One with a parameter `stated` is
given the statement of its claim, one with a parameter `results` the folder of the study's results.
"""

"""Sources of claims that are about a study: each reads its results and gives points with numbers.

A source is a function of the results folder and of the parameters of its claim. Where the study has not made what it
needs, it says so instead.
"""

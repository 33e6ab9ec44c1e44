"""Programs for this repository: `gen` writes generated files, `screens` makes the pictures of the documentation and
`language` checks the English of docstrings and comments.
"""

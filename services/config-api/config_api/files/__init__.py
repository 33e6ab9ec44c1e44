"""Reading and keeping files of any kind: what task files and datasets have in common."""

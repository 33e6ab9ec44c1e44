"""The file formats of documents: one module each, discovered by `registry`."""

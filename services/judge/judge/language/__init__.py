"""Split and recognise natural language with NLTK and langdetect, in a separate process."""

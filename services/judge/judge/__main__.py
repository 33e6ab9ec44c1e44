"""`python -m judge`."""

from judge.main import Settings, create_app
from llmbench.serve import serve

serve("judge", Settings, create_app)

"""`python -m gateway_ws`."""

from gateway_ws.main import Settings, create_app
from llmbench.serve import serve

serve("gateway-ws", Settings, create_app)

from llmbench.db.migrate import preflight
from llmbench.serve import serve
from orchestrator.main import SERVICE, Settings, create_app

serve(SERVICE, Settings, create_app, preflight=preflight)

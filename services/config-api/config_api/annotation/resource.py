"""Declare the routes of `/v1/annotations`."""

from config_api.annotation.annotator_endpoints import router as annotators
from config_api.annotation.invitation_endpoints import INVITED_PATH
from config_api.annotation.invitation_endpoints import invited_router as invited
from config_api.annotation.invitation_endpoints import router as invitations
from config_api.annotation.label_endpoints import router as labels
from config_api.annotation.label_endpoints import work_router as work
from config_api.annotation.task_endpoints import router as tasks
from config_api.resource import Resource

RESOURCE = Resource(
    routers=(annotators, tasks, invitations, work, invited, labels),
    open_paths=(INVITED_PATH,),
)

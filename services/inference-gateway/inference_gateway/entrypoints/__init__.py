"""Entry points for messages: the lanes, each of which takes the commands of one model group, and requests."""

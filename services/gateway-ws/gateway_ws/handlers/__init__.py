"""Use cases: fanning events out, replaying them, and a client's side of STOMP."""

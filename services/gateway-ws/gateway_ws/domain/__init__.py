"""The gateway's logic: it uses no sockets, broker or clock."""

"""The gateway's logic as pure functions and values: destinations, frames, sequences and queues. It uses no sockets,
broker or clock."""

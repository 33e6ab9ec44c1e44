"""Pure functions and values: destinations, frames, sequences and queues, without sockets, broker or clock."""

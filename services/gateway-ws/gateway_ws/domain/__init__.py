"""Pure: destinations, frames, sequences and queues, without sockets, broker or clock."""

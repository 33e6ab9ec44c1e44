"""Pure: destinations, frames, sequences and queues, without a socket, a broker or a clock."""

"""The judge turns an answer into a verdict. It holds no table: all it needs is in the command,
and every model call it makes is remembered by the inference gateway under a derived id, so that a
judge that was killed replays its steps for nothing."""

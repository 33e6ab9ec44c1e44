"""Entry points for NATS messages: a lane takes the commands of one model group; requests are answered."""

"""What two or more llmbench services share: the wire, the tables, the edges. Never a business rule."""

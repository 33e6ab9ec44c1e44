"""Code that two or more llmbench services share: contracts, messaging, tables, HTTP. It holds no business rules."""

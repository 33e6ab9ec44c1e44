"""What `llmbench doctor` looks at. Each look returns findings; none of them changes anything."""

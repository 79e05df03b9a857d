"""What is drawn of the plan of one character."""

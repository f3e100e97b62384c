"""How fast the grader is, beside stock otter and beside the least that any grader must do."""

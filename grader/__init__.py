"""The grader: files in, confined calls, verdicts, gradebook and feedback out."""

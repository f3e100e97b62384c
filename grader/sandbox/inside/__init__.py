"""What runs inside the jail: fork server, locks, and the child that runs a submission.

Self-contained (the standard library and NumPy), because nothing else of ours can be read there.
"""

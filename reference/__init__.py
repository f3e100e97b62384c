"""The hidden NumPy reference of the lesson. Imports nothing of ours."""

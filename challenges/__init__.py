"""The coding challenges, and what all content shares: the YAML reader and calculated figures."""

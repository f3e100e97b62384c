"""Marks for other systems."""

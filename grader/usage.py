"""What is wrong with how a command was used."""


class UsageError(Exception):
    """A wrong use, or a machine that cannot do what is asked; one line for the user."""

"""The one way in which intake says no."""


class Refusal(Exception):  # noqa: N818 - not an error of ours
    """There is nothing to grade; the text tells the student why, and what to do."""

"""What is remembered is bounded: the newest is always there, and never more than asked for."""

from grader.remembered import Remembered


def test_it_forgets_all_when_full_and_keeps_the_newest() -> None:
    known: Remembered[int, str] = Remembered(3)
    for number in range(10):
        known[number] = str(number)
        assert known[number] == str(number)
        assert len(known) <= 3
    assert dict(known) == {9: "9"}


def test_what_is_there_can_be_set_again_without_loss() -> None:
    known: Remembered[int, str] = Remembered(2)
    known[1] = known[2] = "a"
    known[1] = "b"
    assert dict(known) == {1: "b", 2: "a"}

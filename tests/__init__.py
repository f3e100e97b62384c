"""The tests; `tests.browser` and `tests.screenshots` serve more than one."""

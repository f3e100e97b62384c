"""`python -m course`: the instructor's command. Says in one line what this machine lacks."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    version = ".".join(map(str, sys.version_info[:2]))
    sys.stderr.write("python -m course: Python 3.11 or newer is needed; this is " + version + "\n")
    sys.exit(2)

if __name__ == "__main__":
    try:
        from course.command import main
    except ModuleNotFoundError as missing:
        if "--debug" in sys.argv:
            raise
        text = f"the package '{missing.name}' is missing; `make` installs what is needed"
        print(f"python -m course: {text}", file=sys.stderr)
        sys.exit(2)
    sys.exit(main())

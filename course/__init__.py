"""The lesson: its YAML sections, their rendering, and the build of every handout."""

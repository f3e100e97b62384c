"""The report for staff: what a run says of a class, as one page."""

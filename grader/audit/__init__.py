"""Do the cases of a lesson catch every known mistake, and does each case catch something?"""

"""The questions: their model, loading, scoring and export."""

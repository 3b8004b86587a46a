"""Columns of words and tags."""

"""JSON of annotation tools."""

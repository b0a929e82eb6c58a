"""Prices: cycles of leaves, and features of the lines that cross between memory levels and the core
(docs/explanation/cost.md)."""

"""Prices: cycles of leaves, and features of what crosses between memory levels and the core
(docs/explanation/cost.md)."""

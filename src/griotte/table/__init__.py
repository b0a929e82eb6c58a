"""Solved families made small: decisions as boxes."""

"""The language: functions, operations, Specs, their text and meaning."""

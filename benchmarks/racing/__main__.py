"""A contestant's process; see contestant.py."""

from .contestant import main

main()

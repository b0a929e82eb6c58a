"""The race: griotte beside every rival at its best setting. `../race.py` is the way in; ../README.md says how it is run
and why so."""

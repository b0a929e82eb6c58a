"""How a [performance model](../learned) is made: programs of many Specs drawn and timed, models fitted to their
times, and judged by what was held out."""

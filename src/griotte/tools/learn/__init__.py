"""How a [performance model](../learned) is made: programs of many Specs drawn and timed, models fitted to their
times, and judged by programs that were held out."""

"""How a [performance model](../learned) is come by: programs of many Specs drawn and timed, models fitted to their
times, and judged by what was held out."""

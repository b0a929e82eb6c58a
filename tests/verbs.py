"""The command line called as a test calls it."""

import json
import re

from click.testing import CliRunner
from griotte.tools.cli import main

FREE = re.compile(r"(?<=found )[\d.e+]+(?=; use a smaller SPEC)")  # GiB of memory, which differ from call to call


def run(*words, status=0):
    """Standard output of `griotte words`."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == status, result.output + str(result.exception)
    assert "Traceback" not in result.output
    return result.stdout


def run_json(*words, status=0):
    return json.loads(run(*words, "--json", status=status))


def refused(*words):
    """The one line on standard error of a call that is refused."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("griotte: ") and result.stderr.count("\n") == 1, result.stderr
    told = CliRunner().invoke(main, [*words, "--json"])
    if "--help" not in result.stderr:  # --json itself may be the word too many
        error = json.loads(told.stdout)
        assert told.exit_code == 2 and error.keys() == {"error"}
        assert FREE.sub("", error["error"]) == FREE.sub("", result.stderr[len("griotte: ") : -1])
    return result.stderr

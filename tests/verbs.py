"""The command line called as a test calls it."""

import json

from click.testing import CliRunner
from griotte.tools.cli import main


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
        assert told.exit_code == 2 and json.loads(told.stdout) == {"error": result.stderr[len("griotte: ") : -1]}
    return result.stderr

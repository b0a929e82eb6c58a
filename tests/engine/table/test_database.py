"""What an error of SQLite says of a file: nothing is kept for now, it is left out, or it is damaged."""

import sqlite3

import pytest
from griotte.engine.table.database import is_damage, may_pass, only_writing_fails

CODES = {
    # only writing fails, which may pass, the file is damaged
    "FULL": (True, True, False),
    "BUSY": (True, True, False),
    "BUSY_SNAPSHOT": (True, True, False),
    "IOERR_WRITE": (True, True, False),
    "READONLY": (True, False, False),
    "READONLY_DBMOVED": (True, False, False),
    "IOERR_READ": (False, False, False),
    "CANTOPEN": (False, False, False),
    "NOMEM": (False, False, False),
    "CORRUPT": (False, False, True),
    "CORRUPT_INDEX": (False, False, True),
    "NOTADB": (False, False, True),
    "ERROR": (False, False, True),  # a table that is not there
}


def judged(error: Exception) -> tuple[bool, bool, bool]:
    return only_writing_fails(error), may_pass(error), is_damage(error)


@pytest.mark.parametrize("name, verdict", CODES.items(), ids=CODES)
def test_a_code_says_what_failed(name, verdict):
    error = sqlite3.DatabaseError("disk image is malformed")
    error.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{name}")
    assert judged(error) == verdict


def test_what_has_no_code_is_damage_unless_the_program_is_wrong():
    """Bytes that are no text where a text should be; a connection that is closed."""
    assert judged(sqlite3.OperationalError("could not decode to UTF-8")) == (False, False, True)
    assert judged(sqlite3.ProgrammingError("cannot operate on a closed database")) == (False, False, False)

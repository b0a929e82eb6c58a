"""What a file checks of calls is compiled together."""

import pytest
from checked import compiled_together


@pytest.fixture(scope="module", autouse=True)
def compiled():
    with compiled_together():
        yield

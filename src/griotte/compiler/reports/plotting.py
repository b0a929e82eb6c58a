"""matplotlib (the extra `plot`), which is loaded only to draw."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ...support.errors import GriotteError


def plotting() -> Any:
    """matplotlib, with what griotte draws by; GriotteError where it is not installed."""
    try:
        import matplotlib.backends.backend_agg
        import matplotlib.figure
    except ImportError:
        raise GriotteError(
            "expected matplotlib to draw a .png, found none; pip install 'griotte[plot]', or name a .html or .svg file,"
            " which needs nothing"
        ) from None
    return matplotlib


def small(figure) -> bytes:
    """The figure as a PNG of 256 colours: a third of the bytes."""
    from PIL import Image  # matplotlib needs it too

    canvas, out = plotting().backends.backend_agg.FigureCanvasAgg(figure), io.BytesIO()
    canvas.draw()
    Image.fromarray(np.asarray(canvas.buffer_rgba())[:, :, :3]).quantize(256, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()

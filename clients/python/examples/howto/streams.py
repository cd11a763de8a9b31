"""docs/howto/streams.md"""

from __future__ import annotations

import logging
from typing import Any

from pgtasker import Job


def load(job: Job[dict[str, Any]]) -> int:
    logger = logging.getLogger("shop.load")
    logger.addHandler(job.log_handler())
    job.append("rejected", [{"row": 7}, {"row": 9}])
    job.set_value("rows", 400)
    job.progress(0.4, "row 400 of 1,000")
    logger.warning("row 7 has no price")
    return 400

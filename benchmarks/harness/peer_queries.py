"""The peers' own texts of the queries, loaded from the scratch copy."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any


def peer_queries(peers: Path) -> Any:
    """Return the module ``common/queries.py`` of a copy of ../shared/peers."""
    spec = importlib.util.spec_from_file_location("queries", peers / "common" / "queries.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

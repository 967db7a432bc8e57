"""Pages that are written from the sources when the site is built: mkdocs calls ``on_files``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

import error_catalogue
import python_reference
import scala_reference

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parents[2]


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "errors.md": error_catalogue.page(ROOT),
        "python.md": python_reference.page(ROOT),
        "scala.md": scala_reference.page(ROOT),
    }


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those that lie in the folder."""
    from mkdocs.structure.files import File

    for name, text in pages().items():
        files.append(File.generated(config, name, content=text))
    return files

"""The benchmark behind ``make bench``: Wreath and its peers in turn, counts verified."""

from __future__ import annotations

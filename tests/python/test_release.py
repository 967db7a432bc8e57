"""`make release` lays files out as Maven and pip expect them."""

from __future__ import annotations

import hashlib
import runpy
import shutil
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support import REPOSITORY

import wreath

RELEASE: dict[str, Any] = runpy.run_path(str(REPOSITORY / "project/release.py"))
VERSION = wreath.__version__


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What a release is made of, with jars and a wheel that were not built."""
    root = tmp_path / "project"
    for name in ("python/wreath/version.py", "project/Versions.scala", "CHANGELOG.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, root / name)
    sources = root / "jvm/kernel/src/main/scala/io/wreath"
    sources.mkdir(parents=True)
    (sources / "A.scala").write_text("class A")
    (root / "target").mkdir()
    (root / "dist").mkdir()
    for minor in ("4.1", "4.2"):
        (root / f"target/wreath-spark-{minor}_2.13-{VERSION}.jar").write_bytes(minor.encode())
    (root / f"dist/wreath-{VERSION}-py3-none-any.whl").write_bytes(b"wheel")
    return root


def test_a_release_is_a_maven_repository_and_a_wheel(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    RELEASE["release"](project, out)
    folder = out / f"maven/io/wreath/wreath-spark-4.1_2.13/{VERSION}"
    stem = f"wreath-spark-4.1_2.13-{VERSION}"
    kinds = [".jar", ".pom", "-sources.jar"]
    names = {f"{stem}{kind}{check}" for kind in kinds for check in ("", ".md5", ".sha1")}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / f"{stem}.jar").read_bytes() == b"4.1"
    assert (folder / f"{stem}.jar.sha1").read_text() == hashlib.sha1(b"4.1").hexdigest()
    pom = ElementTree.parse(folder / f"{stem}.pom").getroot()
    space = "{http://maven.apache.org/POM/4.0.0}"
    assert pom.findtext(f"{space}artifactId") == "wreath-spark-4.1_2.13"
    assert pom.findtext(f".//{space}scope") == "provided"
    with zipfile.ZipFile(folder / f"{stem}-sources.jar") as archive:
        assert archive.namelist() == ["io/wreath/A.scala"]
    sums = (out / "SHA256SUMS").read_text().splitlines()
    assert len(sums) == 20
    assert f"{hashlib.sha256(b'wheel').hexdigest()}  wreath-{VERSION}-py3-none-any.whl" in sums


def test_two_releases_of_one_state_are_the_same(project: Path, tmp_path: Path) -> None:
    RELEASE["release"](project, tmp_path / "one")
    RELEASE["release"](project, tmp_path / "two")
    sums = [(tmp_path / name / "SHA256SUMS").read_text() for name in ("one", "two")]
    assert sums[0] == sums[1]


def test_what_is_not_built_is_named(project: Path, tmp_path: Path) -> None:
    (project / f"target/wreath-spark-4.2_2.13-{VERSION}.jar").unlink()
    with pytest.raises(SystemExit, match=r"wreath-spark-4\.2.*make wheel"):
        RELEASE["release"](project, tmp_path / "out")


def test_the_changelog_has_a_section_for_the_version() -> None:
    text = "# C\n\n## [Unreleased]\n\n- new\n\n## [0.1.0] - today\n\n- old\n"
    assert RELEASE["changes"](text, "0.1.0") == "# Wreath 0.1.0\n\n- old\n"
    assert RELEASE["changes"](text, "0.2.0") == "# Wreath 0.2.0\n\n- new\n"

"""Lay out a release: the wheel, the jars as a Maven repository, the changelog's section, checksums.

``make release`` runs it, after wheel and jars are built. A company puts ``dist/release/maven`` on
its repository server, and ``spark-submit --packages io.wreath:wreath-spark-4.1_2.13:<version>
--repositories <that server>`` finds the jar.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

GROUP = "io.wreath"

POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <version>{version}</version>
  <packaging>jar</packaging>
  <name>{artifact}</name>
  <description>Worst-case optimal graph pattern joins for Apache Spark {minor}</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
  <dependencies>
    <dependency>
      <groupId>org.apache.spark</groupId>
      <artifactId>spark-sql_2.13</artifactId>
      <version>{spark}</version>
      <scope>provided</scope>
    </dependency>
  </dependencies>
</project>
"""


def release(root: Path, out: Path) -> list[Path]:
    """Write the release of ``root`` into ``out``, and return its files."""
    version = _first(r'__version__ = "([^"]+)"', root / "python/wreath/version.py")
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    wheel = root / f"dist/wreath-{version}-py3-none-any.whl"
    shutil.copy(_there(wheel), out)
    for spark in re.findall(r'spark = "([\d.]+)"', _text(root / "project/Versions.scala")):
        _artifact(root, out / "maven", spark, version)
    notes = changes(_text(root / "CHANGELOG.md"), version)
    (out / "CHANGES.md").write_text(notes, encoding="utf-8")
    files = sorted(path for path in out.rglob("*") if path.is_file())
    sums = [f"{_digest(path, 'sha256')}  {path.relative_to(out).as_posix()}" for path in files]
    (out / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    return [*files, out / "SHA256SUMS"]


def changes(changelog: str, version: str) -> str:
    """Return the section of a version; before it has one, what is not released yet."""
    for title in (version, "Unreleased"):
        pattern = rf"^## \[{re.escape(title)}\][^\n]*\n(.*?)(?=^## |\Z)"
        section = re.search(pattern, changelog, re.MULTILINE | re.DOTALL)
        if section:
            return f"# Wreath {version}\n\n{section.group(1).strip()}\n"
    raise SystemExit(f"CHANGELOG.md has neither a section [{version}] nor [Unreleased].")


def _artifact(root: Path, repository: Path, spark: str, version: str) -> None:
    """Write one jar as Maven wants it: with a POM, its sources, and checksums beside each."""
    minor = ".".join(spark.split(".")[:2])
    artifact = f"wreath-spark-{minor}_2.13"
    folder = repository / GROUP.replace(".", "/") / artifact / version
    folder.mkdir(parents=True)
    stem = f"{artifact}-{version}"
    shutil.copy(_there(root / "target" / f"{stem}.jar"), folder)
    facts = {"group": GROUP, "artifact": artifact, "version": version, "minor": minor}
    pom = POM.format(spark=spark, **{k: escape(v) for k, v in facts.items()})
    (folder / f"{stem}.pom").write_text(pom, encoding="utf-8")
    _sources(root, folder / f"{stem}-sources.jar")
    for file in sorted(folder.iterdir()):
        for kind in ("sha1", "md5"):
            (folder / f"{file.name}.{kind}").write_text(_digest(file, kind), encoding="utf-8")


def _sources(root: Path, jar: Path) -> None:
    """Pack the sources of both modules, with times that are the same on every machine."""
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        for module in ("kernel", "spark"):
            top = root / "jvm" / module / "src/main"
            for file in sorted(path for path in top.rglob("*") if path.is_file()):
                # scala/io/… and resources/… without their first folder, as javac would see them.
                name = Path(*file.relative_to(top).parts[1:]).as_posix()
                entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())


def _there(file: Path) -> Path:
    if not file.is_file():
        raise SystemExit(f"{file.name} is not built: run `make wheel` first.")
    return file


def _digest(file: Path, kind: str) -> str:
    return hashlib.new(kind, file.read_bytes(), usedforsecurity=False).hexdigest()


def _first(pattern: str, file: Path) -> str:
    found = re.search(pattern, _text(file))
    if found is None:
        raise SystemExit(f"{file.name} has no {pattern}.")
    return found.group(1)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


if __name__ == "__main__":
    for path in release(Path(__file__).resolve().parents[1], Path(sys.argv[1])):
        sys.stdout.write(f"{path}\n")

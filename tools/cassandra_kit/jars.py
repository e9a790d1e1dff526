"""Fetches the jars of a Cassandra release with Maven, once per release."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from . import maven
from .places import cache_folder, locked
from .terminal import say
from .versions import Version

POM = """<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>cstress</groupId>
  <artifactId>server-kit</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
DEPENDENCY = """    <dependency>
      <groupId>org.apache.cassandra</groupId>
      <artifactId>{artifact}</artifactId>
      <version>{version}</version>
    </dependency>"""


def class_path(version: Version) -> list[Path]:
    """The jars of the release in a fixed order, fetched when they are not there yet."""
    folder = cache_folder() / "cassandra" / version.text
    if not folder.is_dir():
        # Two starts at once: the second waits here and then finds the folder.
        with locked(folder.with_name(version.text + ".lock")):
            if not folder.is_dir():
                _fetch(version, folder)
    return sorted(folder.glob("*.jar"))


def pom(version: Version) -> str:
    """The project file that makes Maven resolve the server and all it depends on."""
    artifacts = ["cassandra-all"]
    if version.is_before(4, 0):
        # Not among its dependencies, but its start needs the classes.
        artifacts.append("cassandra-thrift")
    return POM.format(dependencies="\n".join(
        DEPENDENCY.format(artifact=artifact, version=version.text) for artifact in artifacts))


def _fetch(version: Version, folder: Path) -> None:
    """Copy the jars to a folder beside the final one and rename it when it is whole."""
    say(f"fetching the jars of Cassandra {version.text} with Maven (once; about 70 MB, up to two "
        "minutes)")
    partial = Path(tempfile.mkdtemp(prefix=".fetch-", dir=folder.parent))
    try:
        (partial / "pom.xml").write_text(pom(version), encoding="utf-8")
        _run_maven(version, partial)
        # mkdtemp made a folder for its owner alone; the jars may be shared.
        (partial / "lib").chmod(0o755)
        os.rename(partial / "lib", folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _run_maven(version: Version, folder: Path) -> None:
    what = f"the jars of Cassandra {version.text}"
    said = maven.run(what, ["-f", str(folder / "pom.xml"), "dependency:copy-dependencies",
                            f"-DoutputDirectory={folder / 'lib'}", "-DincludeScope=runtime"],
                     folder)
    if not list((folder / "lib").glob("cassandra-all-*.jar")):
        raise maven.failure(what, said)

"""``spack explore``: open the build cache explorer on Spack's own mirrors.

Everything is done by the command ``cache-explorer``; this only says which mirrors, which recipes
and which environment it reads. It gets the mirrors as Spack has them, in a file like
``mirrors.yaml``, with their views, servers, profiles and filters. It works in Spack 0.24 and later.
"""

import argparse
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

import spack
import spack.caches
import spack.environment
import spack.repo
from spack.cmd.common.arguments import mirror_name_or_url
from spack.error import SpackError
from spack.mirrors.mirror import Mirror, MirrorCollection
from spack.version import VersionList

description = "explore build caches in the browser"
section = "query"
level = "short"


def setup_parser(subparser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    subparser.add_argument(
        "mirrors",
        nargs="*",
        type=mirror_name_or_url,
        metavar="mirror",
        help="name, path or URL of a mirror [default: every binary mirror that is configured]",
    )
    subparser.add_argument(
        "--environment",
        action="store_true",
        help="first print how much of the active environment the mirrors have",
    )
    subparser.add_argument(
        "--no-recipes",
        action="store_true",
        help="leave out what Spack's recipes say: descriptions, defaults, newer versions",
    )
    subparser.add_argument(
        "--no-browser",
        action="store_true",
        help="only write the page, and print where it is",
    )


def explore(_parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Run the command."""
    command = program()
    entries = described(args.mirrors or configured())
    with tempfile.TemporaryDirectory(prefix="spack-explore-") as folder:
        # JSON is YAML.
        mirrors = Path(folder) / "mirrors.yaml"
        mirrors.write_text(json.dumps({"mirrors": entries}), encoding="utf-8")
        inputs = ["--mirrors", str(mirrors)]
        if args.environment:
            run([command, "environment", str(lock()), *inputs])
        known = None if args.no_recipes else recipes()
        if known is not None:
            inputs += ["--recipes", str(known)]
        page = [command, "open", *inputs]
        if args.no_browser:
            page.append("--no-browser")
        run(page)


def run(call: List[str]) -> None:
    """Run a command, and end with its exit code if it fails."""
    code = subprocess.call(call)  # noqa: S603
    if code != 0:
        sys.exit(code)


def configured() -> List[Mirror]:
    """Return the mirrors that Spack installs from."""
    mirrors = list(MirrorCollection(binary=True).values())
    if not mirrors:
        raise SpackError("no binary mirror is configured", "Give the path or URL of one.")
    return mirrors


def described(mirrors: List[Mirror]) -> Dict[str, Any]:
    """Return the entries of mirrors in a ``mirrors.yaml``, by name."""
    entries: Dict[str, Any] = {}
    for number, mirror in enumerate(mirrors, 1):
        data = mirror.to_dict()
        entry: Dict[str, Any] = {"url": data} if isinstance(data, str) else dict(data)
        fetch = entry.get("fetch", {})
        # Without a URL, it is only pushed to. Spack expands paths, whatever file they are in.
        if "url" in entry or fetch:
            fetch = fetch if isinstance(fetch, dict) else {}
            entry["fetch"] = {**fetch, "url": mirror.fetch_url}
        name = mirror.name if mirror.name in MirrorCollection() else f"mirror-{number}"
        entries[name] = entry
    return entries


# The number changes with what is written.
RECIPE_FORMAT = 1
# What makes a version a branch, or not.
REFERENCES = ("branch", "commit", "tag")
# Files of as many states of the repositories are kept.
STATES = 4


def recipes() -> Optional[Path]:
    """Return a file with what the recipes say; nothing if none can be loaded.

    It is made once for each state of the repositories, and kept in Spack's cache.
    """
    repositories = [
        (repo.namespace, repo.root, len(repo.all_package_names()), repo.last_mtime())
        for repo in spack.repo.PATH.repos
    ]
    state = [RECIPE_FORMAT, spack.spack_version, repositories]
    key = hashlib.sha256(json.dumps(state).encode()).hexdigest()[:16]
    folder = Path(spack.caches.misc_cache_location()) / "cache-explorer"
    file = folder / f"recipes-{key}.json.gz"
    if file.is_file():
        return file
    names = spack.repo.all_package_names()
    print(
        f"Reading {len(names):,} recipes, which takes about a minute, once for each state of them."
        " (--no-recipes leaves them out.)",
        flush=True,
    )
    said = [saying for saying in map(recipe, names) if saying]
    if not said:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    kept = sorted(folder.glob("recipes-*.json.gz"), key=lambda path: path.stat().st_mtime)
    for earlier in kept[: -(STATES - 1)]:
        earlier.unlink()
    part = folder / f"{os.getpid()}.part"
    with gzip.open(part, "wt", encoding="utf-8") as out:
        json.dump(said, out, default=str)
    part.replace(file)
    return file


def recipe(name: str) -> Dict[str, Any]:
    """Return what a recipe says, as packages.spack.io has it; nothing if it cannot be loaded."""
    try:
        package = spack.repo.PATH.get_pkg_class(name)
        versions = sorted(package.versions.items(), reverse=True)
        return {
            "name": name,
            "description": package.__doc__,
            "homepage": package.homepage,
            "maintainers": list(package.maintainers),
            "build_system": getattr(package, "build_system_class", None),
            "licenses": [str(text) for text in getattr(package, "licenses", {}).values()],
            "latest_version": str(VersionList(package.versions).preferred()),
            "versions": [
                {"name": str(version), **{key: said[key] for key in REFERENCES if said.get(key)}}
                for version, said in versions
            ],
            "versions_deprecated": [
                {"name": str(version)} for version, said in versions if said.get("deprecated")
            ],
            "variants": [
                {"name": one, "default": variant.default, "description": variant.description}
                for condition in package.variants.values()
                for one, variant in condition.items()
            ],
        }
    except Exception:  # noqa: BLE001  A recipe is a program of somebody else.
        return {}


def lock() -> Path:
    """Return the lock file of the active environment."""
    environment = spack.environment.active_environment()
    if environment is None:
        raise SpackError(
            "no environment is active", "Activate one: spack -e NAME explore --environment"
        )
    file = Path(environment.lock_path)
    if not file.is_file():
        raise SpackError(f"{file} does not exist", "Run `spack concretize` first.")
    return file


def program() -> str:
    """Return the path of ``cache-explorer``: the one installed with this file, or else on the PATH.

    A Python package has its programs in ``bin``, some levels above its modules.
    """
    for folder in Path(__file__).resolve().parents:
        beside = folder / "bin" / "cache-explorer"
        if beside.is_file():
            return str(beside)
    found = shutil.which("cache-explorer")
    if found is None:
        raise SpackError("cache-explorer is missing", "pip install spack-cache-explorer")
    return found

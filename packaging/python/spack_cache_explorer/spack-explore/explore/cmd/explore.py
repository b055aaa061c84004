"""``spack explore``: open the build cache explorer on Spack's own mirrors.

Everything is done by the command ``cache-explorer``; this only says which mirrors, which recipes
and which environment it reads. It gets the mirrors as Spack has them, in a file like
``mirrors.yaml``, with their views, servers, profiles and filters, and what Spack's solver chooses
as a lock file. It works in Spack 0.24 and later.
"""

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import spack
import spack.binary_distribution
import spack.caches
import spack.cmd
import spack.config
import spack.environment
import spack.repo
import spack.spec
from spack.cmd.common.arguments import mirror_name_or_url
from spack.environment.environment import lockfile_format_version
from spack.error import SpackError
from spack.mirrors.mirror import Mirror, MirrorCollection
from spack.spec import Spec
from spack.version import VersionList

description = "explore build caches in the browser"
section = "query"
level = "short"


def setup_parser(subparser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    subparser.add_argument(
        "asked",
        nargs="*",
        metavar="mirror|spec",
        help="name, path or URL of a mirror [default: every binary mirror that is configured]; or"
        " a spec, to see what Spack would take from the mirrors, what it would compile, and why",
    )
    subparser.add_argument(
        "--environment",
        action="store_true",
        help="do that for the active environment, which is concretized if it is not yet",
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
    mirrors = [mirror_name_or_url(word) for word in args.asked if is_mirror(word)]
    specs = [word for word in args.asked if not is_mirror(word)]
    if specs and args.environment:
        raise SpackError("expected specs or --environment, found both")
    entries = described(mirrors or configured())
    with tempfile.TemporaryDirectory(prefix="spack-explore-") as folder:
        # JSON is YAML.
        file = Path(folder) / "mirrors.yaml"
        file.write_text(json.dumps({"mirrors": entries}), encoding="utf-8")
        inputs = ["--mirrors", str(file)]
        page = [command, "open"]
        if specs or args.environment:
            # Mirrors that are named are those that Spack's solver knows.
            # The colon says that they are there instead of the configured ones.
            only = spack.config.InternalConfigScope("spack-explore", {"mirrors:": entries})
            with spack.config.override(only) if mirrors else nullcontext():
                roots = of_environment() if args.environment else of_specs(specs)
                chosen = solution(roots)
            lock = Path(folder) / "spack.lock"
            lock.write_text(json.dumps(chosen), encoding="utf-8")
            run([command, "environment", str(lock), *inputs, "--causes"])
            page += ["--environment", str(lock)]
        known = None if args.no_recipes else recipes()
        if known is not None:
            inputs += ["--recipes", str(known)]
        page += inputs
        if args.no_browser:
            page.append("--no-browser")
        run(page)


def run(call: List[str]) -> None:
    """Run a command, and end with its exit code if it fails."""
    code = subprocess.call(call)  # noqa: S603
    if code != 0:
        sys.exit(code)


# A URL, an absolute path, or one that begins with the current folder, the one above, or the user's.
PLACE = re.compile(r"[A-Za-z][\w+.-]*://|/[^/]*/|\.\.?(/|$)|~/")


def is_mirror(word: str) -> bool:
    """Return ``True`` for a mirror: a name that is configured, a path or a URL.

    Everything else is part of a spec, which can have slashes too: ``/hash``, ``zlib/hash``.
    """
    is_folder = ("/" in word or "\\" in word) and Path(word).is_dir()
    return is_folder or PLACE.match(word) is not None or word in MirrorCollection()


def of_specs(words: List[str]) -> List[Tuple[str, Spec]]:
    """Return specs, each with what Spack's solver chooses for it."""
    asked = spack.cmd.parse_specs(words)
    print(f"Asking Spack's solver for {', '.join(map(str, asked))}", flush=True)
    chosen = spack.cmd.parse_specs(words, concretize=True)
    # The solver may return them in another order.
    chosen_for = [
        next((one for one in chosen if one.satisfies(spec)), by_place)
        for spec, by_place in zip(asked, chosen)
    ]
    return [(str(spec), one) for spec, one in zip(asked, chosen_for)]


def of_environment() -> List[Tuple[str, Spec]]:
    """Return the specs of the active environment, each with what its lock file or the solver says.

    What has to be concretized is not written into the environment.
    """
    environment = spack.environment.active_environment()
    if environment is None:
        raise SpackError(
            "no environment is active", "Activate one: spack -e NAME explore --environment"
        )
    print("Asking Spack's solver for what is not concretized yet", flush=True)
    environment.concretize()
    return [(str(spec), one) for spec, one in environment.concretized_specs()]


def solution(roots: List[Tuple[str, Spec]]) -> Dict[str, Any]:
    """Return what it takes to install specs, as a lock file.

    Below a spec that is on this machine already, that is nothing; below one that a mirror has, only
    what it needs to run. What else Spack has in its graph is neither fetched nor compiled. A spec
    that is installed counts as an external, so that it is not missed in the mirrors.
    """
    index = spack.binary_distribution.BINARY_INDEX
    index.update(with_cooldown=True)
    nodes: Dict[str, Any] = {}
    counts = {"here": 0, "fetched": 0, "compiled": 0}
    waiting = [spec for _, spec in roots]
    while waiting:
        spec = waiting.pop()
        key = spec.dag_hash()
        if key in nodes:
            continue
        node = described_node(spec)
        nodes[key] = node
        if spec.external or spec.installed:
            needed = []
            node.setdefault("external", {"path": str(spec.prefix), "module": None})
            counts["here"] += 1
        elif index.find_by_hash(spec.build_spec.dag_hash()):
            # Its compiler is part of what it is.
            compilers = [one for one in spec.dependencies() if one.external]
            needed = spec.dependencies(deptype=("link", "run")) + compilers
            counts["fetched"] += 1
        else:
            needed = spec.dependencies()
            counts["compiled"] += 1
        kept = {one.dag_hash() for one in needed}
        of_node = node.get("dependencies", [])
        node["dependencies"] = [edge for edge in of_node if edge["hash"] in kept]
        waiting += needed
    for spec in [spec for _, root in roots for spec in root.traverse()]:
        # What a spliced spec was made from.
        if spec.build_spec is not spec and spec.dag_hash() in nodes:
            for one in spec.build_spec.traverse():
                nodes.setdefault(one.dag_hash(), described_node(one))
    print(
        f"Spack would take {counts['fetched']} from the mirrors and compile {counts['compiled']};"
        f" {counts['here']} are on this machine already.",
        flush=True,
    )
    return {
        "_meta": {
            "file-type": "spack-lockfile",
            "lockfile-version": lockfile_format_version,
            "specfile-version": spack.spec.SPECFILE_FORMAT_VERSION,
        },
        "roots": [{"hash": spec.dag_hash(), "spec": text} for text, spec in roots],
        "concrete_specs": nodes,
    }


def described_node(spec: Spec) -> Dict[str, Any]:
    """Return a concrete spec as it is in a lock file."""
    return {**spec.node_dict_with_hashes(), "hash": spec.dag_hash()}


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

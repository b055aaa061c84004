"""``spack explore``: open the build cache explorer on Spack's own mirrors.

Everything is done by the command ``cache-explorer``; this only says which mirrors and which
environment it reads. It works in Spack 0.24 and later.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List
from urllib.parse import urlparse
from urllib.request import url2pathname

import spack.environment
from spack.cmd.common.arguments import mirror_name_or_url
from spack.error import SpackError
from spack.mirrors.mirror import Mirror, MirrorCollection

description = "explore build caches in the browser"
section = "query"
level = "short"

#: The other machines that ``cache-explorer`` can read from.
REMOTE = ("https", "oci", "oci+http")


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
        "--no-browser",
        action="store_true",
        help="only write the page, and print where it is",
    )


def explore(_parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Run the command."""
    command = program()
    mirrors = args.mirrors or configured()
    page = [command, "open"]
    for mirror in mirrors:
        page += [path(mirror), *names(mirror)]
    if args.no_browser:
        page.append("--no-browser")
    if args.environment:
        coverage = [command, "environment", str(lock())]
        for mirror in mirrors:
            coverage += ["--from", path(mirror)]
        run(coverage)
    run(page)


def run(call: List[str]) -> None:
    """Run a command, and end with its exit code if it fails."""
    code = subprocess.call(call)  # noqa: S603
    if code != 0:
        sys.exit(code)


def configured() -> List[Mirror]:
    """Return the mirrors that Spack installs from and that can be read here."""
    mirrors = list(MirrorCollection(binary=True).values())
    if not mirrors:
        raise SpackError("no binary mirror is configured", "Give the path or URL of one.")
    readable = [mirror for mirror in mirrors if is_readable(mirror)]
    for mirror in mirrors:
        if mirror not in readable:
            print(f"spack explore: left out {mirror.name}: {unreadable(mirror)}", file=sys.stderr)
    if not readable:
        raise SpackError(
            "no configured mirror can be read",
            "Give the path of a copy: spack explore path/to/mirror",
        )
    return readable


def is_readable(mirror: Mirror) -> bool:
    """Return whether ``cache-explorer`` can read a mirror."""
    return urlparse(mirror.fetch_url).scheme in ("file", *REMOTE)


def unreadable(mirror: Mirror) -> str:
    """Return why a mirror cannot be read."""
    return f"{mirror.fetch_url} is neither on this machine nor at {', '.join(REMOTE)}"


def path(mirror: Mirror) -> str:
    """Return where a mirror is, as ``cache-explorer`` takes it."""
    if not is_readable(mirror):
        raise SpackError(unreadable(mirror))
    url = urlparse(mirror.fetch_url)
    return url2pathname(url.path) if url.scheme == "file" else str(mirror.fetch_url)


def names(mirror: Mirror) -> List[str]:
    """Return the arguments that say what Spack calls a mirror."""
    name = ["--name", mirror.name] if mirror.name in MirrorCollection() else []
    return ["--url", mirror.fetch_url, *name]


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

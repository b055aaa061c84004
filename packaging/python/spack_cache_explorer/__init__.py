"""The Spack Build Cache Explorer as a Python package.

It contains the command ``cache-explorer``, which is not written in Python, and an extension of
Spack that starts it, ``spack explore``.
"""

from pathlib import Path


def extension() -> str:
    """Return the folder of the extension, for the entry point ``spack.extensions``."""
    return str(Path(__file__).with_name("spack-explore"))

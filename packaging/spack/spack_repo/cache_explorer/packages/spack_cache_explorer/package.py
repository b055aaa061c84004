# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

# The release workflow fills in the repository and the checksum (tools/recipe).

from spack_repo.builtin.build_systems.cargo import CargoPackage

from spack.package import *


class SpackCacheExplorer(CargoPackage):
    """Shows which prebuilt binaries are in a Spack build cache, which of them run on a
    machine, how builds that look alike differ, and which command installs the right
    one, as a page in the browser."""

    homepage = "https://github.com/OWNER/REPOSITORY"
    # Not the archive that GitHub makes of a tag: this one also has the built site, for
    # which there is no compiler in Spack.
    url = "https://github.com/OWNER/REPOSITORY/releases/download/v0.1.0/spack-cache-explorer-0.1.0.tar.gz"

    license("Apache-2.0 OR MIT")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    depends_on("c", type="build")
    depends_on("rust@1.88:", type="build")

    @property
    def build_directory(self):
        return join_path(self.stage.source_path, "crates", "cli")

    @property
    def build_args(self):
        return ["--locked"]

    def setup_build_environment(self, env):
        env.set("CACHE_EXPLORER_SITE", join_path(self.stage.source_path, "site"))

    @run_after("install")
    def install_extension(self):
        """Install ``spack explore``, for ``config:extensions``."""
        extension = "packaging/python/spack_cache_explorer/spack-explore"
        install_tree(
            join_path(self.stage.source_path, extension),
            join_path(self.prefix.share, "spack-explore"),
        )

    def test_version(self):
        """check that the command runs"""
        command = Executable(self.prefix.bin.join("cache-explorer"))
        assert f"cache-explorer {self.version}" in command("--version", output=str.split)

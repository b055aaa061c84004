"""Write which packages of Spack's own repository provide which virtual packages.

    tools/providers.py <clone of github.com/spack/spack-packages> > \
        crates/cache-advice/src/reuse/providers.txt

Recipes are not run: their `provides` directives are read from the sources, with the conditions
around them (`when=`, `with when(...)`, loops over lists, tests of `sys.platform`), also those of
the classes that a recipe inherits from. A condition that cannot be read is written as `?`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Dict, Iterator, Tuple

REPOSITORY = Path("repos/spack_repo/builtin/packages")
PLATFORMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
UNREADABLE = "?"

Names = Dict[str, str]
Provided = Tuple[str, str]


def text_of(node: ast.expr, names: Names) -> str | None:
    """Return the text that an expression stands for: a literal, a sum, a variable of a loop."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.FormattedValue):
        return text_of(node.value, names)
    parts: list[str | None] = [None]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [text_of(node.left, names), text_of(node.right, names)]
    elif isinstance(node, ast.JoinedStr):
        parts = [text_of(value, names) for value in node.values]
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None


def call_of(node: ast.expr, name: str) -> ast.Call | None:
    """Return the call of a directive."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return node if is_call and node.func.id == name else None  # type: ignore[union-attr]


def platforms(test: ast.expr) -> set[str] | None:
    """Return the platforms on which a test of `sys.platform` is true."""
    if "sys.platform" not in ast.unparse(test):
        return None
    code = compile(ast.Expression(test), "test", "eval")

    def is_true(key: str) -> bool:
        return bool(eval(code, {"sys": SimpleNamespace(platform=key)}))  # noqa: S307

    try:
        return {name for key, name in PLATFORMS.items() if is_true(key)}
    except NameError:
        return None


def both(one: str, other: str | None) -> str:
    """Return both conditions as one."""
    if UNREADABLE in (one, other) or other is None:
        return UNREADABLE
    return " ".join(part for part in (one, other) if part)


def by_directive(call: ast.Call, when: str, names: Names) -> Iterator[Provided]:
    """Iterate over what one directive provides."""
    for keyword in call.keywords:
        if keyword.arg == "when":
            when = both(when, text_of(keyword.value, names))
    for argument in call.args:
        text = text_of(argument, names)
        if text is None:
            text, when = ast.unparse(argument).strip("f'").split("@")[0], UNREADABLE
        yield text.replace(" ", ""), when


def by_branches(statement: ast.If, when: str, names: Names) -> Iterator[Provided]:
    """Iterate over what both branches of a condition provide."""
    known = platforms(statement.test)
    for body, is_met in ((statement.body, True), (statement.orelse, False)):
        if known is None:
            yield from by_block(body, UNREADABLE, names)
            continue
        for platform in sorted(PLATFORMS.values()):
            if (platform in known) == is_met:
                yield from by_block(body, both(when, f"platform={platform}"), names)


def by_block(body: list[ast.stmt], when: str, names: Names) -> Iterator[Provided]:
    """Iterate over what a block of a class provides."""
    for statement in body:
        if isinstance(statement, ast.Expr):
            call = call_of(statement.value, "provides")
            if call:
                yield from by_directive(call, when, names)
        elif isinstance(statement, ast.With):
            condition = when
            for item in statement.items:
                call = call_of(item.context_expr, "when")
                if call:
                    condition = both(condition, text_of(call.args[0], names))
            yield from by_block(statement.body, condition, names)
        elif isinstance(statement, ast.For):
            yield from by_loop(statement, when, names)
        elif isinstance(statement, ast.If):
            yield from by_branches(statement, when, names)


def by_loop(loop: ast.For, when: str, names: Names) -> Iterator[Provided]:
    """Iterate over what a loop provides."""
    if not isinstance(loop.iter, (ast.List, ast.Tuple)) or not isinstance(loop.target, ast.Name):
        yield from by_block(loop.body, UNREADABLE, names)
        return
    for item in loop.iter.elts:
        text = text_of(item, names)
        own = {} if text is None else {loop.target.id: text}
        yield from by_block(loop.body, when, {**names, **own})


class Recipes:
    """The recipes of a repository, each parsed once."""

    def __init__(self, folder: Path) -> None:
        """Parse nothing yet."""
        self.folder = folder
        self.parsed: dict[str, ast.Module] = {}

    def recipe(self, module: str) -> ast.Module:
        """Return the recipe in a folder."""
        if module not in self.parsed:
            self.parsed[module] = ast.parse((self.folder / module / "package.py").read_text())
        return self.parsed[module]

    def by_class(self, module: str, name: str) -> Iterator[Provided]:
        """Iterate over what a class provides, with the classes that it inherits from."""
        for statement in self.recipe(module).body:
            if isinstance(statement, ast.ImportFrom):
                parts = (statement.module or "").split(".")
                for one in statement.names:
                    is_wanted = (one.asname or one.name) == name
                    if is_wanted and len(parts) > 1 and parts[-1] == "package":
                        yield from self.by_class(parts[-2], one.name)
            elif isinstance(statement, ast.ClassDef) and statement.name == name:
                for base in statement.bases:
                    if isinstance(base, ast.Name):
                        yield from self.by_class(module, base.id)
                yield from by_block(statement.body, "", {})

    def by_package(self, module: str) -> Iterator[Provided]:
        """Iterate over what the package in a folder provides."""
        plain = module.replace("_", "").lower()
        for statement in self.recipe(module).body:
            if isinstance(statement, ast.ClassDef):
                name = statement.name
                if name.replace("_", "").lower() == plain:
                    yield from self.by_class(module, name)


def main(clone: str) -> None:
    """Print the table."""
    folder = Path(clone) / REPOSITORY
    recipes = Recipes(folder)
    log = ["git", "-C", clone, "log", "-1", "--format=%H of %cs"]
    commit = subprocess.run(log, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
    print(
        "# What packages provide: a package, a virtual package, and the condition, which is `?` if"
    )
    print("# only the recipe can decide it. Made by tools/providers.py from spack-packages, commit")
    print(f"# {commit}.")
    modules = sorted(one.parent.name for one in folder.glob("*/package.py"))
    rows = {
        (module.lstrip("_").replace("_", "-"), *row)
        for module in modules
        for row in recipes.by_package(module)
    }
    for row in sorted(rows):
        print(" ".join(part for part in row if part))


if __name__ == "__main__":
    main(*sys.argv[1:])

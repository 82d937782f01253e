"""Builds the extension modules; everything else about the project is in pyproject.toml.

Environment variables:

``HARMONIES_CHECKED=1``
    Every check that Cython and the C compiler offer. C arrays are outside Cython's own bounds
    checks, so the undefined-behaviour sanitizer watches them. Slow; for tests.
``HARMONIES_COVERAGE=1``
    Line tracing for coverage.py. Very slow. Its plugin looks for the generated C beside the
    sources, so that is where it goes; ``tasks.py coverage`` does this in a copy of the tree.
"""

import os
import sysconfig
import tempfile
from multiprocessing import get_start_method
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, PlatformError

# The extension modules, lowest layer first: path below src/harmonies_core, without suffix.
MODULES = (
    "grid",
    "habitats",
    "board",
    "scoring",
    "state",
    "rules",
    "landscape",
    "dealer",
    "turns",
    "validation",
    "notation",
    "game/actions",
    "game/position",
    "game/dealing",
    "game/counting",
    "values/shortage",
    "values/handmade",
    "values/features",
    "values/inference",
    "values/network",
    "search/playout",
    "search/limits",
    "search/handmade",
    "search/utility",
    "search/beam",
    "search/outlook",
    "search/base",
    "search/greedy",
    "search/market",
    "search/replies",
    "search/crew",
    "search/expectimax",
    "search/tree",
    "search/mcts",
    "learning/gradient",
    "learning/selfplay",
    "learning/trainer",
    "learning/match",
)

CHECKED = os.environ.get("HARMONIES_CHECKED", "0") not in ("", "0")
COVERAGE = os.environ.get("HARMONIES_COVERAGE", "0") not in ("", "0")

# The one place for compiler directives: no module sets its own.
DIRECTIVES = {
    "language_level": 3,
    # Hot code works on C arrays, which these three do not touch; all else may stay checked.
    "boundscheck": True,
    "wraparound": True,
    "nonecheck": True,
    "initializedcheck": CHECKED,
    "cdivision": not CHECKED,
    "embedsignature": True,
    "linetrace": COVERAGE,
}

# One folder a mode: Cython would not notice that the directives changed.
C_FOLDER = None if COVERAGE else "build/cython-checked" if CHECKED else "build/cython"

# Cython writes helpers that not every module uses.
QUIET = ["-Wno-unused-function", "-Wno-unused-variable"]

SANITIZE = "bounds,shift,integer-divide-by-zero,signed-integer-overflow,null"

NO_COMPILER = (
    "harmonies-engine needs a C compiler and none works here. Install one: "
    "Debian or Ubuntu: 'apt install build-essential'; Fedora: 'dnf install gcc'; "
    "macOS: 'xcode-select --install'; Windows: the Visual Studio Build Tools for C++."
)
NO_HEADERS = (
    "harmonies-engine needs the header files of Python {version} (Python.h). Install them: "
    "Debian or Ubuntu: 'apt install python3-dev'; Fedora: 'dnf install python3-devel'."
)


def macros() -> list[tuple[str, str | None]]:
    """C macros for the mode in force."""
    found: list[tuple[str, str | None]] = []
    if COVERAGE:
        # Functions without the GIL too; sys.monitoring is not what coverage's plugins listen to.
        found += [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")]
    if not CHECKED:
        # In hot loops `assert` states an invariant; only the checked build pays for testing it.
        found += [("CYTHON_WITHOUT_ASSERTIONS", None)]
    return found


def flags(compiler_type: str) -> tuple[list[str], list[str]]:
    """Flags for compiling and for linking."""
    if compiler_type == "msvc":
        return (["/Od", "/Zi"], ["/DEBUG"]) if CHECKED else (["/O2"], [])
    if CHECKED:
        sanitize = [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all"]
        # Python is often compiled with -fwrapv, which would define signed overflow away.
        return ["-O1", "-g", "-fno-wrapv", "-UNDEBUG", *QUIET, *sanitize], sanitize
    # No fused multiply-add where the machine has one: the same sums everywhere. Every x86-64
    # processor since 2008 counts bits in one instruction.
    counting = ["-mpopcnt"] if sysconfig.get_platform().endswith("-x86_64") else []
    return ["-O0" if COVERAGE else "-O3", "-ffp-contract=off", *counting, *QUIET], []


class BuildExtensions(build_ext):
    """Translates with Cython and compiles, with one clear line when the tools are missing."""

    def finalize_options(self) -> None:
        """Translate the modules, here so that reading the metadata alone needs no Cython."""
        modules = self.distribution.ext_modules or []
        if any(source.endswith(".pyx") for module in modules for source in module.sources):
            from Cython.Build import cythonize
            from Cython.Compiler import Options
            from Cython.Compiler.Errors import CompileError

            Options.warning_errors = CHECKED
            # Where worker processes start by importing this file anew, none are used.
            workers = (os.cpu_count() or 1) if get_start_method() == "fork" else 0
            try:
                self.distribution.ext_modules = cythonize(
                    modules,
                    build_dir=C_FOLDER,
                    compiler_directives=DIRECTIVES,
                    include_path=["src"],
                    nthreads=workers,
                    annotate=False,
                )
            except CompileError as error:  # Cython has said by now what is wrong
                raise SystemExit(f"Cython cannot translate {error}") from None
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count() or 1

    def build_extensions(self) -> None:
        """Check the tools and compile."""
        self.check_compiler()
        compile_flags, link_flags = flags(self.compiler.compiler_type)
        for module in self.extensions:
            module.extra_compile_args = compile_flags
            module.extra_link_args = link_flags
            module.define_macros = [*module.define_macros, *macros()]
        super().build_extensions()

    def check_compiler(self) -> None:
        """Stop with one line unless a small C file compiles, and Python's headers are there."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "check.c")
            source.write_text("int main(void) { return 0; }\n", encoding="ascii")
            try:
                self.compiler.compile([str(source)], output_dir=folder)
            except (CCompilerError, PlatformError, OSError) as error:
                raise SystemExit(f"{NO_COMPILER} ({error})") from None
        if not any(Path(folder, "Python.h").is_file() for folder in self.include_dirs):
            version = sysconfig.get_python_version()
            raise SystemExit(NO_HEADERS.format(version=version))


setup(
    ext_modules=[
        Extension(
            f"harmonies_core.{module.replace('/', '.')}", [f"src/harmonies_core/{module}.pyx"]
        )
        for module in MODULES
    ],
    cmdclass={"build_ext": BuildExtensions},
)

#!/usr/bin/env python3
"""Sets the project up and runs it: `python3 tasks.py try`, `python3 tasks.py test`.

Needs nothing but Python and a C compiler; all else goes into the folders .venv and build.
Every command is printed before it runs. This file has to parse on versions of Python that
are too old for the project, so that it can say so.
"""

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.abspath(__file__))
WINDOWS = os.name == "nt"


def stop(message):
    """End with one line on stderr and a failing exit code."""
    sys.stdout.flush()
    sys.exit("tasks.py: " + message)


def check_python():
    """Stop on a version of Python that is too old; name a newer one if there is one."""
    if sys.version_info >= OLDEST:
        return
    oldest, this = ("{}.{}".format(*version) for version in (OLDEST, sys.version_info))
    message = f"harmonies-engine needs Python {oldest} or newer; this is {this}"
    for minor in range(19, OLDEST[1] - 1, -1):
        newer = f"python3.{minor}"
        if shutil.which(newer) and is_working([newer]):
            arguments = " ".join(sys.argv)
            message += f" (try: {newer} {arguments})"
            break
    stop(message)


def is_working(python):
    """Whether this Python, given as the beginning of a command line, starts at all."""
    command = [*python, "-c", "pass"]
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


check_python()


# From here on Python is new enough ---------------------------------------------------------

VENV = os.path.join(ROOT, ".venv")
BUILD = os.path.join(ROOT, "build")
STAMP = os.path.join(VENV, "installed.txt")
CHECKED_BASE = os.path.join(BUILD, "checked")
CHECKED_LIB = os.path.join(CHECKED_BASE, "lib")
COVERAGE_TREE = os.path.join(BUILD, "coverage")

# What the checked build is tested with: the core, not the tools around it, which mostly wait
# for child processes. Paths that do not exist are fine.
NOT_CORE = (
    "tests/test_cli.py",
    "tests/test_client.py",
    "tests/test_client_document.py",
    "tests/test_client_process.py",
    "tests/test_client_values.py",
    "tests/test_compliance.py",
    "tests/test_fuzz.py",
    "tests/test_json.py",
    "tests/test_minimal_gui.py",
    "tests/test_match_cli.py",
    "tests/test_match_cluster.py",
    "tests/test_match_faults.py",
    "tests/test_match_resume.py",
    "tests/test_match_schedule.py",
    "tests/test_match_stats.py",
    "tests/test_protocol.py",
    "tests/test_render.py",
    "tests/test_session_machine.py",
    "tests/test_sessions.py",
    "tests/test_states.py",
    "tests/test_train.py",
    "tests/test_ugi.py",
)

# Left behind by builds and tools, wherever in the tree it is.
LITTER_FOLDERS = (
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".benchmarks",
)
LITTER_SUFFIXES = (".so", ".pyd", ".egg-info")


def in_venv(tool):
    """Path of a program in the virtual environment."""
    folder, suffix = ("Scripts", ".exe") if WINDOWS else ("bin", "")
    return os.path.join(VENV, folder, tool + suffix)


def environment(**extra):
    """Return the environment that steps run in: ours, with the venv's programs found first."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME", "HARMONIES_CHECKED", "HARMONIES_COVERAGE")
    }
    kept["VIRTUAL_ENV"] = VENV
    kept["PATH"] = os.path.dirname(in_venv("python")) + os.pathsep + kept.get("PATH", "")
    kept.update(extra)
    return kept


def run(*command, cwd=ROOT, **variables):
    """Print a command and run it; stop when it fails. Keywords are environment variables."""
    words = [f"{name}={value}" for name, value in variables.items()]
    words += [shlex.quote(word) for word in command]
    line = " ".join(words).replace(ROOT + os.sep, "")
    print("+ " + line, flush=True)
    try:
        code = subprocess.call(command, cwd=cwd, env=environment(**variables))
    except OSError as error:
        stop(f"cannot run {command[0]}: {error.strerror}")
    except KeyboardInterrupt:
        stop("interrupted")
    if code:
        stop(f"failed with exit code {code}: {line}")


def python(*arguments, cwd=ROOT, **variables):
    """Run the virtual environment's Python."""
    run(in_venv("python"), *arguments, cwd=cwd, **variables)


def check_tools():
    """Stop with one line when something is missing that only the system can provide."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        stop(
            "this Python has no venv module; install it "
            "(Debian or Ubuntu: apt install python3-venv)"
        )
    if WINDOWS:
        return  # setuptools finds Visual Studio by itself, and says so if there is none
    wanted = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    compiler = wanted.split()[0]
    if not shutil.which(compiler):
        stop(
            f"no C compiler (looked for {compiler}); install one (Debian or Ubuntu: apt install "
            "build-essential; Fedora: dnf install gcc; macOS: xcode-select --install)"
        )
    folders = (sysconfig.get_path("include"), sysconfig.get_path("platinclude"))
    if not any(os.path.isfile(os.path.join(folder, "Python.h")) for folder in folders):
        stop(
            f"no Python.h for Python {sysconfig.get_python_version()}; install the headers "
            "(Debian or Ubuntu: apt install python3-dev; Fedora: dnf install python3-devel)"
        )


def fingerprint(extra):
    """Return a text that changes whenever the project has to be installed anew."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "setup.py"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return f"{extra or 'plain'} {digest.hexdigest()}\n"


def install(extra=""):
    """Bring the virtual environment and the extension modules up to date.

    The project is installed in place, so Python sources need no step at all; Cython sources
    that changed are translated and compiled. An installation with the `dev` extra serves for
    one without.
    """
    check_tools()
    # The first lines of the stamp say whose environment it is, the last what is installed.
    owner = f"{ROOT}\n{sys.version}\n"
    stamp = read(STAMP)
    if not stamp.startswith(owner) or not is_working([in_venv("python")]):
        run(sys.executable, "-m", "venv", "--clear", VENV)
    elif stamp in (owner + fingerprint(extra), owner + fingerprint("dev")):
        python("setup.py", "-q", "build_ext", "--inplace")
        return

    import tomllib

    write(STAMP, owner)
    # C made with other directives or another Cython would not be noticed.
    remove(BUILD)
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        builders = tomllib.load(file)["build-system"]["requires"]
    pip = ("-m", "pip", "install", "-q", "--disable-pip-version-check")
    python(*pip, *builders)
    # Without isolation the build uses, and leaves, what later builds continue from.
    project = f".[{extra}]" if extra else "."
    python(*pip, "--no-build-isolation", "-e", project)
    write(STAMP, owner + fingerprint(extra))


def read(path):
    """Return the text of a file, or nothing if there is no such file."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def write(path, text):
    """Make a file with this text."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def remove(path):
    """Delete a file or folder if it is there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def task_try():
    """Install, then analyse a position that comes with the project."""
    install()
    run(in_venv("harmonies"), "analyse", "examples/midgame.hfen")


def task_build():
    """Install in .venv, or compile what changed."""
    install()


def task_lint():
    """Check style and types."""
    install("dev")
    lint()


def lint():
    """Run the linters and the type checker."""
    python("-m", "ruff", "check", ".")
    python("-m", "ruff", "format", "--check", ".")
    run(in_venv("cython-lint"), "src")
    python("-m", "mypy")


def task_test():
    """Check style and types, run all tests, then those of the core in the checked build."""
    install("dev")
    lint()
    python("-m", "pytest")
    build_checked()
    ignored = ["--ignore=" + path for path in NOT_CORE]
    python(
        *("-m", "pytest", "--timeout=600", *ignored),
        PYTHONPATH=CHECKED_LIB,
        HARMONIES_CHECKED="1",
        UBSAN_OPTIONS="print_stacktrace=1",
    )


def build_checked():
    """Build with every check on, beside the normal build."""
    # Files that left the sources since the last time must not be found; compiled modules stay.
    for folder, _, names in os.walk(CHECKED_LIB):
        for name in names:
            if not name.endswith((".so", ".pyd")):
                os.remove(os.path.join(folder, name))
    python(
        *("setup.py", "-q", "build", "--build-base", CHECKED_BASE, "--build-lib", CHECKED_LIB),
        HARMONIES_CHECKED="1",
    )


def task_coverage():
    """Measure which lines the tests reach, Cython included (slow)."""
    install("dev")
    remove(COVERAGE_TREE)
    # coverage.py wants the generated C beside the sources, so this happens in a copy.
    litter = ["*" + suffix for suffix in LITTER_SUFFIXES]
    ignore = shutil.ignore_patterns(".git", "build", ".venv*", *LITTER_FOLDERS, *litter)
    shutil.copytree(ROOT, COVERAGE_TREE, ignore=ignore)
    here = {"cwd": COVERAGE_TREE, "PYTHONPATH": os.path.join(COVERAGE_TREE, "src")}
    python("setup.py", "-q", "build_ext", "--inplace", HARMONIES_COVERAGE="1", **here)
    python("-m", "coverage", "run", "-m", "pytest", "-m", "not slow", "--timeout=1200", **here)
    python("-m", "coverage", "report", **here)


def task_bench():
    """Measure speed."""
    install("dev")
    patterns = "python_files=bench_*.py test_*.py"
    python("-m", "pytest", "benchmarks", "--benchmark-only", "-o", patterns)


def task_clean():
    """Delete everything that the other tasks made, .venv included."""
    for path in (BUILD, VENV):
        remove(path)
    for folder, subfolders, names in os.walk(ROOT):
        if ".git" in subfolders:
            subfolders.remove(".git")
        for name in [*subfolders, *names]:
            if name in LITTER_FOLDERS or name.endswith(LITTER_SUFFIXES):
                remove(os.path.join(folder, name))
                if name in subfolders:
                    subfolders.remove(name)


TASKS = {
    "try": task_try,
    "test": task_test,
    "build": task_build,
    "lint": task_lint,
    "coverage": task_coverage,
    "bench": task_bench,
    "clean": task_clean,
}


def main():
    """Run the task named on the command line."""
    parser = argparse.ArgumentParser(
        prog="tasks.py", description="Set the project up, run it, test it."
    )
    subparsers = parser.add_subparsers(dest="task", metavar="task", required=True)
    for name, function in TASKS.items():
        about = function.__doc__.strip()
        subparsers.add_parser(name, help=about, description=about)
    TASKS[parser.parse_args().task]()


if __name__ == "__main__":
    main()

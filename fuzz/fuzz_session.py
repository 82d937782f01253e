"""Coverage-guided fuzzing of a session (docs/fuzzing.md).

python fuzz/fuzz_session.py -max_total_time=600 build/fuzz/session fuzz/corpus/session
"""

import sys

import atheris

with atheris.instrument_imports(include=["engine_cli"]):
    from harness import run_session

if __name__ == "__main__":
    atheris.Setup(sys.argv, run_session)
    atheris.Fuzz()

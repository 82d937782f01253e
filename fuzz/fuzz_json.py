"""Coverage-guided fuzzing of the JSON analysis (docs/fuzzing.md).

python fuzz/fuzz_json.py -max_total_time=600 build/fuzz/json fuzz/corpus/json
"""

import sys

import atheris

with atheris.instrument_imports(include=["engine_cli"]):
    from harness import run_json

if __name__ == "__main__":
    atheris.Setup(sys.argv, run_json)
    atheris.Fuzz()

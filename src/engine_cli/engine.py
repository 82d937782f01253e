"""Entry point of `harmonies-engine`: a UHI session, unless arguments ask for something else."""

import sys


def main() -> int:
    """Serve one session and return the exit status."""
    if len(sys.argv) > 1:
        from engine_cli.engine_command import main as command

        command(prog_name="harmonies-engine")
    from engine_cli.protocol.serve import serve_standard_streams

    return serve_standard_streams()


if __name__ == "__main__":
    sys.exit(main())

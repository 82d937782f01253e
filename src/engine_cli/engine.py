"""Entry point of `harmonies-engine`: a UHI session on standard input and output."""

import sys


def main() -> int:
    """Serve one session and return the exit status."""
    if len(sys.argv) > 1:
        sys.stderr.write(
            "harmonies-engine takes no arguments: it speaks UHI on standard input and output "
            "(docs/protocol.md). Type uhi, help or quit once it runs.\n"
        )
        return 2
    from engine_cli.protocol.serve import serve_standard_streams

    return serve_standard_streams()


if __name__ == "__main__":
    sys.exit(main())

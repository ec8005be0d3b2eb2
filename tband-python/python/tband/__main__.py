"""The commands `tband` and `tband-cli`, and `python -m tband`: the command line that the wheel contains.

`python -m tband --cmake-dir` prints the folder of `tband-config.cmake`, for `cmake -Dtband_DIR=...`.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent
PROGRAM = PACKAGE / "bin" / ("tband-cli.exe" if os.name == "nt" else "tband-cli")
SDK = PACKAGE / "sdk"
CMAKE = SDK / "cmake"


def main() -> None:
    arguments = sys.argv[1:]
    is_for_cmake = arguments == ["--cmake-dir"]
    if not (CMAKE if is_for_cmake else PROGRAM).exists():
        sys.exit(
            "tband: this package was built without the command line and the SDK\n"
            "  to install both: pip install --force-reinstall tband\n"
            "  to build both from a clone of the sources: cargo xtask wheel"
        )
    os.environ.setdefault("TBAND_SDK", str(SDK))
    if is_for_cmake:
        print(CMAKE)
    elif os.name == "nt":
        # exec would return to the shell before the program has ended. Ctrl+C reaches both processes: the program ends
        # its recording on it, and this one waits.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(subprocess.Popen([PROGRAM, *arguments]).wait())
    else:
        os.execv(PROGRAM, [str(PROGRAM), *arguments])


if __name__ == "__main__":
    main()

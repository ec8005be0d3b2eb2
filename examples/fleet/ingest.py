"""Puts recordings into one folder of tables. They lie where their paths say of which device and day they are.

    python ingest.py RECORDINGS TABLES     RECORDINGS/DEVICE/YYYY-MM-DD/*.bin
"""

import os
import subprocess
import sys
from pathlib import Path

TBAND_CLI = os.environ.get("TBAND_CLI", "tband-cli")


def ingest(recordings, tables):
    """Adds those that are not there yet."""
    days = sorted(day for day in Path(recordings).glob("*/*") if day.is_dir())
    if not days:
        raise SystemExit(f"{recordings}: no folder DEVICE/YYYY-MM-DD in it")
    for day in days:
        command = [TBAND_CLI, "ingest", "--quiet", "--device", day.parent.name, "--date", day.name, tables, *sorted(day.glob("*.bin"))]
        # 1: recordings with losses are among them. What they lack is in the table `losses`.
        if subprocess.run(command).returncode not in (0, 1):
            raise SystemExit(f"{day}: tband-cli could not add it")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    ingest(*sys.argv[1:])

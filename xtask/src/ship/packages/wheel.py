"""Packs tband-cli as a wheel: a ZIP archive whose scripts `pip` and `pipx` put on the path.

wheel.py PROGRAM FOLDER_OF_LICENCES VERSION TAG OUT
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

program, licences, version, tag, out = sys.argv[1:]
program, licences = pathlib.Path(program), pathlib.Path(licences)
name = f"tband_cli-{version}"

METADATA = f"""\
Metadata-Version: 2.1
Name: tband-cli
Version: {version}
Summary: Converts and checks trace recordings of FreeRTOS and bare-metal firmware
License: MIT OR Apache-2.0
Description-Content-Type: text/plain

The command line of tband, a trace recorder for FreeRTOS and bare-metal microcontrollers.
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: tband\nRoot-Is-Purelib: false\n" + "".join(
    f"Tag: py3-none-{platform}\n" for platform in tag.split(".")
)

files = [(f"{name}.data/scripts/{program.name}", program.read_bytes(), 0o755)]
for licence in sorted(path for path in licences.rglob("*") if path.is_file()):
    inside = licence.relative_to(licences).as_posix()
    files.append((f"{name}.dist-info/licenses/{inside}", licence.read_bytes(), 0o644))
files.append((f"{name}.dist-info/METADATA", METADATA.encode(), 0o644))
files.append((f"{name}.dist-info/WHEEL", WHEEL.encode(), 0o644))

record = ""
for path, content, _ in files:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record += f"{path},sha256={digest},{len(content)}\n"
record += f"{name}.dist-info/RECORD,,\n"
files.append((f"{name}.dist-info/RECORD", record.encode(), 0o644))

with zipfile.ZipFile(pathlib.Path(out) / f"{name}-py3-none-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
    for path, content, mode in files:
        # The same bytes whenever it is made.
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        entry.external_attr = (0o100000 | mode) << 16
        wheel.writestr(entry, content)

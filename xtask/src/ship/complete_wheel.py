"""Adds the command line and the SDK to a wheel that maturin built.

complete_wheel.py WHEEL PROGRAM SDK LICENCES OUT

WHEEL: the wheel. PROGRAM: tband-cli. SDK, LICENCES: folders. OUT: the new wheel. Equal contents give equal bytes.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

wheel, program, sdk, licences, out = (pathlib.Path(path) for path in sys.argv[1:])

# Contents and modes by the path in the wheel.
files = {}
with zipfile.ZipFile(wheel) as given:
    for entry in given.infolist():
        files[entry.filename] = (given.read(entry), entry.external_attr >> 16 & 0o777 or 0o644)
[record] = [path for path in files if path.endswith(".dist-info/RECORD")]
info = record.removesuffix("/RECORD")
del files[record]


def add(folder, inside):
    for path in folder.rglob("*"):
        if path.is_file():
            files[f"{inside}/{path.relative_to(folder).as_posix()}"] = (path.read_bytes(), 0o644)


files[f"tband/bin/{program.name}"] = (program.read_bytes(), 0o755)
add(sdk, "tband/sdk")
add(licences, f"{info}/licenses")
commands = "".join(f"{name} = tband.__main__:main\n" for name in ["tband", "tband-cli"])
files[f"{info}/entry_points.txt"] = (f"[console_scripts]\n{commands}".encode(), 0o644)

lines = []
for path, (content, _) in sorted(files.items()):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    lines.append(f"{path},sha256={digest},{len(content)}\n")
lines.append(f"{record},,\n")

with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as complete:
    # RECORD comes last, as the specification of wheels recommends.
    for path, (content, mode) in [*sorted(files.items()), (record, ("".join(lines).encode(), 0o644))]:
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        entry.external_attr = (0o100000 | mode) << 16
        complete.writestr(entry, content)

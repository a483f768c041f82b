"""archive.py FOLDER ARCHIVE: packs a folder reproducibly, independent of the user and the time."""

import gzip
import sys
import tarfile
from pathlib import Path


def normalized(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


folder, archive = Path(sys.argv[1]), sys.argv[2]
with open(archive, "wb") as file, gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.add(folder, folder.name, recursive=False, filter=normalized)
        for path in sorted(folder.rglob("*")):
            tar.add(path, str(path.relative_to(folder.parent)), recursive=False, filter=normalized)

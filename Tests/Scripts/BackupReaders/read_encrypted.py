"""Has iphone_backup_decrypt read an encrypted backup folder whole: every file must have its size.

Usage: read_encrypted.py DEVICE-FOLDER PASSWORD
"""

import sys
from pathlib import Path

from iphone_backup_decrypt import EncryptedBackup
from iphone_backup_decrypt.utils import FilePlist

device, password = sys.argv[1:]
backup = EncryptedBackup(backup_directory=device, passphrase=password)
if not backup.test_decryption():
    sys.exit("iphone_backup_decrypt cannot decrypt it")
files = 0
with backup.manifest_db_cursor() as cursor:
    cursor.execute("SELECT fileID, domain, relativePath, file FROM Files WHERE flags = 1")
    rows = cursor.fetchall()
for name, domain, path, blob in rows:
    size = FilePlist(blob).filesize
    if size == 0:
        continue
    contents = backup.extract_file_as_bytes(path, domain_like=domain)
    if len(contents) != size:
        sys.exit(f"{domain} {path}: {len(contents)} bytes, not {size}")
    stored = (Path(device) / name[:2] / name).read_bytes()
    if stored == contents:
        sys.exit(f"{domain} {path} was not encrypted")
    files += 1
if files == 0:
    sys.exit("it has no files")
print(f"iphone_backup_decrypt: {len(rows)} rows, {files} files")

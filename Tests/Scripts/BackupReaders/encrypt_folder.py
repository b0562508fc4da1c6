"""Encrypts a backup folder in place as a phone does, by the Python package cryptography.

Usage: encrypt_folder.py DEVICE-FOLDER PASSWORD
"""

import os
import plistlib
import sqlite3
import struct
import sys
import uuid
from pathlib import Path

from cryptography.hazmat.primitives import hashes, keywrap, padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

device, password = Path(sys.argv[1]), sys.argv[2].encode()
# Of these the manifest has one, and the files have another.
MANIFEST_CLASS, FILE_CLASS = 4, 3


def derive(hash_of, secret, salt, iterations):
    return PBKDF2HMAC(hash_of, 32, salt, iterations).derive(secret)


def encrypt(path, key):
    padder = padding.PKCS7(128).padder()
    whole = padder.update(path.read_bytes()) + padder.finalize()
    cipher = Cipher(algorithms.AES256(key), modes.CBC(bytes(16))).encryptor()
    path.write_bytes(cipher.update(whole) + cipher.finalize())


def item(tag, value):
    value = struct.pack(">L", value) if isinstance(value, int) else value
    return tag + struct.pack(">L", len(value)) + value


salts = os.urandom(20), os.urandom(20)
password_key = derive(
    hashes.SHA1(), derive(hashes.SHA256(), password, salts[0], 10_000), salts[1], 5_000)
class_keys = {number: os.urandom(32) for number in range(1, 12)}


def wrapped(key, number):
    """A key wrapped by that of its class, behind the number of the class."""
    return struct.pack("<L", number) + keywrap.aes_key_wrap(class_keys[number], key)


bag = b"".join([
    item(b"VERS", 5), item(b"TYPE", 1), item(b"UUID", uuid.uuid4().bytes),
    item(b"HMCK", os.urandom(40)), item(b"WRAP", 1), item(b"SALT", salts[1]), item(b"ITER", 5_000),
    item(b"DPWT", 1), item(b"DPIC", 10_000), item(b"DPSL", salts[0])])
for number, key in class_keys.items():
    bag += b"".join([
        item(b"UUID", uuid.uuid4().bytes), item(b"CLAS", number), item(b"WRAP", 2),
        item(b"KTYP", 0), item(b"WPKY", keywrap.aes_key_wrap(password_key, key))])

database = sqlite3.connect(device / "Manifest.db")
rows = database.execute("SELECT fileID, file FROM Files WHERE flags = 1").fetchall()
for name, blob in rows:
    archive = plistlib.loads(blob)
    objects = archive["$objects"]
    if objects[1]["Size"] == 0:
        continue
    key = os.urandom(32)
    objects[1]["EncryptionKey"] = plistlib.UID(len(objects))
    objects.append({"NS.data": wrapped(key, FILE_CLASS), "$class": plistlib.UID(len(objects) + 1)})
    objects.append(
        {"$classname": "NSMutableData", "$classes": ["NSMutableData", "NSData", "NSObject"]})
    database.execute(
        "UPDATE Files SET file = ? WHERE fileID = ?",
        (plistlib.dumps(archive, fmt=plistlib.FMT_BINARY), name))
    encrypt(device / name[:2] / name, key)
database.commit()
database.close()

manifest_key = os.urandom(32)
encrypt(device / "Manifest.db", manifest_key)
listing = plistlib.loads((device / "Manifest.plist").read_bytes())
listing.update(
    IsEncrypted=True, BackupKeyBag=bag, ManifestKey=wrapped(manifest_key, MANIFEST_CLASS))
(device / "Manifest.plist").write_bytes(plistlib.dumps(listing, fmt=plistlib.FMT_BINARY))

import BackupFileTree

extension PropertyList {
  /// The size, in bytes, of the largest list that the kit reads. A larger file is refused, because
  /// it may come from an untrusted source.
  private static let maximumSize = 100_000_000

  /// Reads a binary or XML property list, which may be from an untrusted source.
  static func read(at path: String) throws(BackupFolderError) -> PropertyList {
    let bytes = try BackupFolder.bytes(at: path, atMost: maximumSize)
    let list =
      bytes.starts(with: BinaryPropertyList.header)
      ? BinaryPropertyList.read(bytes) : readXML(bytes)
    guard let list else { throw BackupFolderError(path, "is not a readable property list") }
    return list
  }
}

public import BackupFileTree

extension SystemProfile {
  /// The names of files that an unfinished save leaves behind; regular files only (`observed`).
  public enum RemnantPattern: String, CaseIterable, Hashable, Sendable {
    /// The last component begins with `.dat.nosync`.
    case atomicSave
    /// The path ends in `.plist.` and seven characters.
    case propertyList
    /// A `.dat` file with `binarycookies_tmp` in its path.
    case cookies

    /// Whether a file at this path is such a remnant.
    ///
    /// - Parameter path: The path of a regular file, relative to the container.
    /// - Returns: Whether the name fits; what the item is, is not looked at.
    public func matches(_ path: ContainerPath) -> Bool {
      switch self {
      case .atomicSave:
        path.name.bytes.starts(with: ".dat.nosync".utf8)
      case .propertyList:
        path.bytes.dropLast(7).suffix(7).elementsEqual(".plist.".utf8)
          && !path.bytes.suffix(7).contains(UInt8(ascii: "/"))
      case .cookies:
        path.bytes.suffix(4).elementsEqual(".dat".utf8)
          && path.bytes.contains(Array("binarycookies_tmp".utf8))
      }
    }
  }
}

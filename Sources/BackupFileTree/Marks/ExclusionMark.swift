/// The marks by which an app tells iOS to leave an item out of backups.
///
/// A mark is an extended attribute on the item itself. iOS tests only whether the attribute is
/// present, and ignores its value (`observed`).
///
/// ```swift
/// let movie = try ContainerPath("Documents/movie.mp4")
/// try container.scan()[movie]?.marks.contains(.resourceValue)  // whether the app marked it
/// ```
public struct ExclusionMark: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// The bits of the marks.
  public let rawValue: UInt8

  /// Creates a set of marks from their bits.
  ///
  /// - Parameter rawValue: The bits of the single marks; 0 is no mark.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The mark that `isExcludedFromBackup` sets, from iOS 5.1 on (`apple-resource-value`).
  public static let resourceValue = ExclusionMark(rawValue: 1)
  /// The mark of iOS 5.0.1: the extended attribute `com.apple.MobileBackup` with the value 1
  /// (`apple-qa1719`).
  public static let extendedAttribute = ExclusionMark(rawValue: 2)

  /// Each single mark.
  public static let all: [ExclusionMark] = [.resourceValue, .extendedAttribute]

  /// The name of a single mark's extended attribute on Apple platforms.
  package var attributeName: String {
    self == .extendedAttribute
      ? "com.apple.MobileBackup" : "com.apple.metadata:com_apple_backup_excludeItem"
  }

  /// The value of a single mark's extended attribute.
  package var attributeValue: [UInt8] {
    self == .extendedAttribute ? [1] : Self.backupDaemonPropertyList
  }

  /// The string `com.apple.backupd` as a binary property list.
  private static let backupDaemonPropertyList: [UInt8] =
    Array("bplist00".utf8) + [0x5F, 0x10, 0x11] + Array("com.apple.backupd".utf8)
    + [0x08, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    + [0, 0, 0, 0, 0, 0, 0, 0x1C]

  /// The names of the marks, as in scenario files and reports.
  public var description: String {
    switch self {
    case []: "none"
    case .resourceValue: "resourceValue"
    case .extendedAttribute: "extendedAttribute"
    default: "resourceValue and extendedAttribute"
    }
  }
}

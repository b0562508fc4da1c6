public import BackupFileTree

/// How badly the device needs storage, and so what the system takes.
public enum StoragePressure: Hashable, Sendable {
  /// Storage is low: caches go.
  case lowStorage
  /// Nothing else is left to take: tmp goes too.
  case criticalStorage
  /// Just the files in purgeable places that these patterns match, as older systems took single ones.
  case files([PathPattern])
}

extension StoragePressure: CustomStringConvertible {
  /// The word scenario files use, or the patterns.
  public var description: String {
    switch self {
    case .lowStorage: "lowStorage"
    case .criticalStorage: "criticalStorage"
    case .files(let patterns): patterns.map(\.description).joined(separator: ", ")
    }
  }
}

package import BackupFileTree

/// What the manifest of a backup folder says of some containers of an app.
package struct BackupContents: Sendable {
  /// Something in a manifest that no device writes.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    /// A row whose values have the wrong types.
    case types = "has values of unexpected types"
    /// A path that leads out of the container, or that no container holds.
    case path = "has a path that is not possible in a container"
    /// A description that is no archive of an `MBFile`, or of no kind of item that backups hold.
    case archive = "has a description that cannot be read"
    /// A description of another item or kind than the row's own.
    case contradiction = "has a description of a different item than the row names"
    /// A name that is not the hash of domain and path.
    case name = "has a name that is not the hash of its domain and path"
    /// A second row of the same item.
    case twice = "is listed twice"
    case parent = "is in a directory that is not listed"
  }

  /// What is said of each item, by its path in a tree; not of the containers themselves.
  package var records: [ContainerPath: BackupRecord] = [:]
  /// The domains that were asked for and are there.
  package var domains: Set<BackupDomain> = []
  /// The domains of extensions whose identifiers begin with the app's, and that were not asked for.
  package var otherExtensions: Set<String> = []
  /// The domains of groups that were not asked for: the app's, or any other's.
  package var otherGroups: Set<String> = []
  /// How often each fault was found, and the item where it was found first, on one line.
  package private(set) var faults: [Fault: (count: Int, first: String)] = [:]
  /// The files whose contents the folder does not hold, with what is there.
  package var withoutContents: [ContainerPath: Substitute] = [:]

  mutating func note(_ fault: Fault, at item: @autoclosure () -> String) {
    if faults[fault] == nil { faults[fault] = (0, item()) }
    faults[fault]?.count += 1
  }
}

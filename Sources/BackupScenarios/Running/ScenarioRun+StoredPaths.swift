import BackupContainer
import BackupFileTree
import BackupFolders

extension ScenarioRun {
  /// Takes up that the run is at its end: what is still wrong there is recorded.
  mutating func noteKeptPaths() {
    noteStaleLinks()
    noteStoredPaths()
    noteMissingNames()
  }

  /// Notes the files that hold the container's own path, which an update or a restore changes.
  ///
  /// Only code of the app's own can have put it there. Caches, tmp and logs are not looked at: the app
  /// makes them again, or never follows what they say.
  mutating func noteStoredPaths() {
    guard isDiskUncertain, let container = disk.container else { return }
    var files: [ContainerPath] = []
    tree.walk { path, item in
      if item.isDirectory {
        return !path.isLog && path.location != .caches && path.location != .temporary
      }
      if case .file = item.kind, !path.isLog { files.append(path) }
      return true
    }
    for path in container.filesHoldingOwnPath(among: files, searching: tally.limits.searched) {
      record(.storedPath(path, key: key(of: container, in: path)))
    }
  }

  /// The key whose value holds the container's path, with those of the dictionaries that it is in; nil
  /// for a file that is neither a property list nor JSON.
  private func key(of container: FakeContainer, in path: ContainerPath) -> String? {
    guard let bytes = try? container.bytes(of: path) else { return nil }
    return PropertyList.key(in: bytes, where: container.isOwnPath)
  }
}

extension ContainerPath {
  /// Whether it names a log.
  fileprivate var isLog: Bool {
    let name = name.string.lowercased()
    return name == "logs" || name.hasSuffix(".log")
  }
}

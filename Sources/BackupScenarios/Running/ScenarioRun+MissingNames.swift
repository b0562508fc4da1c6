import BackupContainer
import BackupDevice
import BackupFileTree
import BackupFolders

extension ScenarioRun {
  /// How many missing files are looked for by name.
  private static let mostNames = 100

  /// Notes which files the system has taken, and which of them the app has started without.
  mutating func noteTakenFiles(_ entry: Transcript.Entry) {
    switch entry.event {
    case .purge(_, taken: let items), .appUpdate(_, lost: let items),
      .restore(_, missing: let items):
      for lost in items {
        lost.item.walk(at: lost.path) { path, item in
          if item.size != nil, path.name.canBeLookedFor { takenFiles[path] = false }
          return true
        }
      }
    case .changes where !takenFiles.isEmpty:
      takenFiles = takenFiles.filter { !entry.tree.contains($0.key) }
    case .reinstall: takenFiles = [:]
    case .launch: takenFiles = takenFiles.mapValues { _ in true }
    default: break
    }
  }

  /// Notes the property lists and databases that are backed up and name a file which is not, and which is
  /// missing though the app has started since.
  mutating func noteMissingNames() {
    let missing = takenFiles.filter { $0.value && !tree.contains($0.key) }.keys.sorted()
      .prefix(Self.mostNames)
    guard !missing.isEmpty, let container = disk.container else { return }
    let set = simulators.backUp(tree, profile, variant.backups)
    var indices: [ContainerPath] = []
    tree.walk { path, item in
      if case .file(let file) = item.kind, path.isOfIndex || file.isDatabase, set.contains(path) {
        indices.append(path)
      }
      return true
    }
    for index in indices {
      let list = (try? container.bytes(of: index)).flatMap(PropertyList.init(anyBytes:))
      for path in missing {
        let name = Array(path.name.string.utf8)
        let key = list?.key { $0 == name || $0.hasSuffix([UInt8(ascii: "/")] + name) }
        let isNamed =
          key != nil
          || list == nil
            && container.holds(name, in: index, searching: tally.limits.searched)
        guard isNamed else { continue }
        record(.namedMissing(index, key: key, missing: path))
      }
    }
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count) == bytes[...] }
}

extension ContainerPath.Component {
  /// Whether a file can be told by the name: it has an extension, and is not so short that it stands in many
  /// files.
  fileprivate var canBeLookedFor: Bool {
    let name = string
    return name.utf8.count >= 5 && name.dropFirst().contains(".")
  }
}

extension ContainerPath {
  /// Whether it names a property list or a database.
  fileprivate var isOfIndex: Bool {
    let name = name.string.lowercased()
    return [".plist", ".sqlite", ".sqlite3", ".db", ".store"].contains(where: name.hasSuffix)
  }
}

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

  /// Notes that the app looked for a missing file before it used it, as it will for those beside it: what
  /// names them does no harm.
  mutating func noteLook(for path: ContainerPath) {
    guard takenFiles[path] != nil else { return }
    takenFiles = takenFiles.filter { $0.key.parent != path.parent }
  }

  /// Notes the property lists, JSON files and databases that are backed up and name a file which is not,
  /// and which is missing though the app has started since.
  mutating func noteMissingNames() {
    var missing = takenFiles.filter { $0.value && !tree.contains($0.key) }.keys.sorted()
    guard !missing.isEmpty, let container = disk.container else { return }
    let set = simulators.backUp(tree, profile, variant.backups)
    var indices: [ContainerPath] = []
    var names: Set<ContainerPath.Component> = []
    tree.walk { path, item in
      names.insert(path.name)
      if case .file(let file) = item.kind, path.isOfIndex || file.isDatabase, set.contains(path) {
        indices.append(path)
      }
      return true
    }
    // A name may mean the item that still has it, as a picture and its thumbnail have the same.
    missing = Array(missing.filter { !names.contains($0.name) }.prefix(Self.mostNames))
    for index in indices {
      let list = (try? container.bytes(of: index)).flatMap(PropertyList.init(anyBytes:))
      for path in missing {
        let name = Array(path.name.string.utf8)
        let key = list?.key { $0 == name || $0.hasSuffix([UInt8(ascii: "/")] + name) }
        // A file of JSON that cannot be read as such may say anything around the name.
        let isNamed =
          key != nil
          || list == nil && !index.isOfJSON
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
  /// Whether the name identifies a file: it has an extension, and is not so short that many files
  /// contain it.
  fileprivate var canBeLookedFor: Bool {
    let name = string
    return name.utf8.count >= 5 && name.dropFirst().contains(".")
  }
}

extension ContainerPath {
  /// Whether it names a property list, a file of JSON or a database.
  fileprivate var isOfIndex: Bool {
    let name = name.string.lowercased()
    return isOfJSON
      || [".plist", ".sqlite", ".sqlite3", ".db", ".store"].contains(where: name.hasSuffix)
  }

  fileprivate var isOfJSON: Bool { name.string.lowercased().hasSuffix(".json") }
}

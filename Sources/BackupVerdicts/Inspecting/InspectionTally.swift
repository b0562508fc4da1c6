package import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// What a container has, summed up in one pass over what a backup decided on its items.
package struct InspectionTally: Sendable {
  /// The files in a directory and in those in it.
  package struct Folder: Sendable {
    /// The directory; nil for the whole container.
    package let path: ContainerPath?
    /// Its files.
    package fileprivate(set) var sums = Inspection.Sums()
  }

  /// How many components the deepest directory has of which the files are summed up.
  package static let deepest = 3
  /// How many of the largest files are kept.
  package static let mostFiles = 500

  /// All files.
  package private(set) var total = Inspection.Sums()
  /// The directories to ``deepest``, in the order of a walk.
  package private(set) var folders: [Folder] = []
  /// The files of each class, nil for those of none; empty where no class is known.
  package private(set) var classes: [DataClass?: Inspection.Sums] = [:]
  /// The largest files, the largest first.
  package private(set) var largest: [BackupSet.Decision] = []
  /// What could not be read.
  package private(set) var unreadable: [BackupSet.Decision] = []
  /// The directories that the pass is in, with their places in ``folders``.
  private var open: [(path: ContainerPath, index: Int)] = []

  /// Sums up a backup.
  init(of set: BackupSet, _ promises: FilePromises?) {
    for decision in set.decisions {
      leave(before: decision.path)
      count(decision, promises)
    }
    leave(before: nil)
  }

  /// Counts an item.
  private mutating func count(_ decision: BackupSet.Decision, _ promises: FilePromises?) {
    switch decision.kind {
    case .file(let size):
      let state = Inspection.State(decision.verdict)
      if let last = open.last {
        folders[last.index].sums.add(size, state)
      } else {
        total.add(size, state)
      }
      keep(decision, size)
      if let promises {
        classes[promises.dataClass(of: decision.path), default: Inspection.Sums()].add(size, state)
      }
    case .directory where open.count < Self.deepest:
      open.append((decision.path, folders.count))
      folders.append(Folder(path: decision.path))
    case .other:
      if case .leftOut(.unreadable) = decision.verdict { unreadable.append(decision) }
    default: break
    }
  }

  /// Goes out of the directories that an item is not in, of all for nil.
  private mutating func leave(before path: ContainerPath?) {
    while let last = open.last, path.map(last.path.isAncestor) != true {
      open.removeLast()
      let sums = folders[last.index].sums
      if let above = open.last { folders[above.index].sums.add(sums) } else { total.add(sums) }
    }
  }

  /// Keeps a file if it is one of the largest; of equal ones the first.
  private mutating func keep(_ decision: BackupSet.Decision, _ size: Int64) {
    if largest.count == Self.mostFiles {
      guard let least = largest.last?.size, least < size else { return }
      largest.removeLast()
    }
    var (low, high) = (0, largest.count)
    while low < high {
      let middle = (low + high) / 2
      if largest[middle].size ?? 0 >= size { low = middle + 1 } else { high = middle }
    }
    largest.insert(decision, at: low)
  }
}

extension InspectionTally {
  /// The directories with files, the largest first.
  package var foldersBySize: [Folder] {
    folders.filter { $0.sums.files > 0 }.enumerated()
      .sorted { ($1.element.sums.bytes, $0.offset) < ($0.element.sums.bytes, $1.offset) }
      .map(\.element)
  }

  /// The files by class, in the order of the classes, those of none last; nil where none is known.
  package var classesInOrder: [(name: String, sums: Inspection.Sums)] {
    (DataClass.allCases.map(Optional.some) + [nil]).compactMap { dataClass in
      classes[dataClass].map { (dataClass?.rawValue ?? "undeclared", $0) }
    }
  }

  /// What a reviewer of the app would ask about, each with how many files and bytes it is.
  package var reviewed: [(words: String, sum: FileSum)] {
    guard !classes.isEmpty else { return [] }
    let recreatable: [DataClass?] = [.support, .offline, .cached, .temporary]
    let lost = Inspection.State.allCases.filter { $0 != .included }
    return [
      ("can be made again, and is in the backup", sum(of: recreatable, [.included])),
      ("the user's own, and is not in the backup", sum(of: [.critical], lost)),
      ("a secret, and is in the backup", sum(of: [.secret], [.included])),
      ("of no class, and is in the backup", sum(of: [nil], [.included])),
    ]
  }

  /// The files of some classes and states.
  private func sum(of classes: [DataClass?], _ states: [Inspection.State]) -> FileSum {
    var sum = FileSum()
    for dataClass in classes {
      for state in states { if let sums = self.classes[dataClass] { sum.add(sums[state]) } }
    }
    return sum
  }
}

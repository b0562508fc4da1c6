import BackupCollections
package import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// What a container has, summed up in one pass over what a backup decided on its items.
package struct InspectionTally: Sendable {
  /// A directory, nil for the whole container, and the files in it and in those in it.
  package typealias Folder = (path: ContainerPath?, sums: Inspection.Sums)

  /// The depth in path components up to which directories get a sum of their own.
  package static let deepest = 3
  /// How many of the largest files are kept.
  package static let mostFiles = 500

  package private(set) var total = Inspection.Sums()
  /// The directories to ``deepest``, in the order of a walk.
  package private(set) var folders: [Folder] = []
  /// The files of each class, nil for those of none; empty where no class is known.
  package private(set) var classes: [DataClass?: Inspection.Sums] = [:]
  /// The largest files, the largest first.
  package private(set) var largest: [BackupSet.Decision] = []
  package private(set) var unreadable: [BackupSet.Decision] = []
  /// The directories that the pass is in, as their places in ``folders``.
  private var open: [Int] = []

  init(of set: BackupSet, _ promises: FilePromises?) {
    set.decisions.forEachItem { directory, name, depth, kind, verdict in
      leave(toDepth: depth - 1)
      switch kind {
      case .file(let size):
        let state = Inspection.State(verdict)
        count(size, state)
        let isLarge = isLarge(size)
        guard isLarge || promises != nil else { return }
        let path = ContainerPath(name, in: directory)
        if isLarge {
          largest.keep(
            BackupSet.Decision(path: path, kind: kind, verdict: verdict),
            amongLargest: Self.mostFiles, by: { $0.size ?? 0 })
        }
        if let promises {
          classes[promises.dataClass(of: path), default: Inspection.Sums()].add(size, state)
        }
      case .directory where depth <= Self.deepest:
        open.append(folders.count)
        folders.append((ContainerPath(name, in: directory), Inspection.Sums()))
      case .other:
        guard case .leftOut(.unreadable) = verdict else { return }
        let path = ContainerPath(name, in: directory)
        unreadable.append(BackupSet.Decision(path: path, kind: kind, verdict: verdict))
      default: break
      }
    }
    leave(toDepth: 0)
  }

  /// Counts a file of the directory that the pass is in.
  private mutating func count(_ size: Int64, _ state: Inspection.State) {
    if let last = open.last {
      folders[last].sums.add(size, state)
    } else {
      total.add(size, state)
    }
  }

  /// Goes out of directories, until so many are left.
  private mutating func leave(toDepth depth: Int) {
    while open.count > depth, let last = open.popLast() {
      let sums = folders[last].sums
      if let above = open.last { folders[above].sums.add(sums) } else { total.add(sums) }
    }
  }

  /// Whether a file is one of the largest so far.
  private func isLarge(_ size: Int64) -> Bool {
    largest.count < Self.mostFiles || largest.last?.size ?? 0 < size
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
      (
        "can be created or downloaded again, but is in the backup",
        sum(of: recreatable, [.included])
      ),
      ("the user's own, but is not in the backup", sum(of: [.critical], lost)),
      ("a secret, but is in the backup", sum(of: [.secret], [.included])),
      ("without a class, and in the backup", sum(of: [nil], [.included])),
    ]
  }

  private func sum(of classes: [DataClass?], _ states: [Inspection.State]) -> FileSum {
    var sum = FileSum()
    for dataClass in classes {
      for state in states { if let sums = self.classes[dataClass] { sum.add(sums[state]) } }
    }
    return sum
  }
}

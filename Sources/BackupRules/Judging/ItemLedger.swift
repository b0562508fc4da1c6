import BackupCollections
import BackupFileTree
import BackupScenarios

/// Who put each item there, and which marks must be set again.
struct ItemLedger: Hashable {
  /// What became of the mark of an item that the app once marked, and so must mark at each save.
  struct MarkRecord: Hashable {
    /// The kinds of mark it had last.
    var mark: ExclusionMark
    /// The step that set it, or carried it here.
    var markedBy: Scenario.StepReference
    /// The first save since that the mark survived in place.
    var survivedSave: Scenario.StepReference?
    /// The first step since that left the item without its mark.
    var lostBy: Scenario.StepReference?
    var loss: Loss?

    /// How it came to be marked, after the item's name in a sentence.
    var marking: String {
      markedBy.number == .found ? "was marked at the start" : "was marked in \(markedBy)"
    }

    /// Whether the item was saved since it was marked, and the mark not set again.
    var isPending: Bool { lostBy != nil || survivedSave != nil }
  }

  /// How an item came to lack its mark.
  enum Loss: Hashable {
    /// It was made again after it was gone.
    case createdAgain
    /// Another item took its place.
    case replaced
    /// It was saved while its mark was set aside, and not marked again.
    case savedUnmarked
  }

  private(set) var origins = SortedMap<ContainerPath, Scenario.StepReference>()
  /// What stands for the step that put an item where it is, if no step has: in a container that was
  /// captured or found as it is.
  private(set) var beginning: Scenario.StepReference?
  /// The items that the app once marked.
  private(set) var marks = SortedMap<ContainerPath, MarkRecord>()
  /// Those of them that must be marked again.
  private(set) var pendingMarks = SortedMap<ContainerPath, MarkRecord>()

  /// The step that is to blame for an item's being where it is; nil if no app is.
  func origin(of path: ContainerPath) -> Scenario.StepReference? { origins[path] ?? beginning }

  /// Notes what is marked before the first step: it must be marked at each save.
  mutating func begin(with tree: FileTree, capturedBy beginning: Scenario.StepReference?) {
    self.beginning = beginning
    tree.visitMarked { path, item in
      setMark(MarkRecord(mark: item.marks, markedBy: .found), of: path)
    }
  }

  mutating func follow(_ entry: Transcript.Entry, before: FileTree) {
    // `begin` has noted the marks of what was found, and `beginning` is the origin of all of it.
    if case .found = entry.step.number { return beginning = entry.step }
    switch entry.event {
    case .changes(let changes):
      for change in changes { follow(change, at: entry.step, before: before, tree: entry.tree) }
    case .system(let event, lost: _):
      guard let path = event.placedFile else { break }
      // For what was there before the app owes nothing any more.
      origins[path] = entry.step
      setMark(nil, of: path)
    default: break
    }
  }

  private mutating func follow(
    _ change: FileTree.Change, at step: Scenario.StepReference, before: FileTree, tree: FileTree
  ) {
    switch change {
    case .created(let path):
      origins[path] = step
      lose(path, at: step, .createdAgain)
    case .replaced(let path):
      origins[path] = step
      lose(path, at: step, .replaced)
    case .savedInPlace(let path):
      if tree[path]?.marks.isEmpty == true, marks[path] != nil {
        lose(path, at: step, .savedUnmarked)
      } else if marks[path]?.survivedSave == nil {
        changeMark(of: path) { $0.survivedSave = step }
      }
    case .removed(let path):
      forget(path, before)
    case .moved(let source, to: let path):
      carry(source, to: path, at: step, tree) { _ in true }
      forget(source, before)
    case .copied(let source, to: let path):
      carry(source, to: path, at: step, tree) { $0.lostBy != nil }
    case .marked(let path, let mark):
      setMark(
        MarkRecord(mark: tree[path]?.marks.union(mark) ?? mark, markedBy: step), of: path)
    case .cleared(let path, _):
      guard let now = tree[path]?.marks else { return }
      if now.isEmpty { setMark(nil, of: path) } else { changeMark(of: path) { $0.mark = now } }
    }
  }

  /// What is left of a save in which the app was killed is put down to no step.
  mutating func forgetOrigin(of path: ContainerPath) { origins[path] = nil }

  private mutating func setMark(_ record: MarkRecord?, of path: ContainerPath) {
    marks[path] = record
    pendingMarks[path] = record.flatMap { $0.isPending ? $0 : nil }
  }

  private mutating func changeMark(of path: ContainerPath, _ change: (inout MarkRecord) -> Void) {
    guard var record = marks[path] else { return }
    change(&record)
    setMark(record, of: path)
  }

  private mutating func lose(_ path: ContainerPath, at step: Scenario.StepReference, _ loss: Loss) {
    changeMark(of: path) { record in
      guard record.lostBy == nil else { return }
      record.lostBy = step
      record.loss = loss
    }
  }

  /// An item is gone, with all in it; a new one in its place must still be marked.
  private mutating func forget(_ path: ContainerPath, _ before: FileTree) {
    forget(at: path)
    before[path]?.forEachItem(at: path) { found, _ in
      forget(at: found)
    }
  }

  private mutating func forget(at path: ContainerPath) {
    guard pendingMarks[path] != nil else { return }
    changeMark(of: path) { record in
      record.survivedSave = nil
      record.lostBy = nil
    }
  }

  /// An item came to a path, with all in it and the marks on that.
  ///
  /// `isPending` says whether an unmarked item must still be marked as at its former path. A moved
  /// item must be: real code may have saved it in the same step, which a later change says.
  private mutating func carry(
    _ source: ContainerPath, to path: ContainerPath, at step: Scenario.StepReference,
    _ tree: FileTree, isPending: (MarkRecord) -> Bool
  ) {
    tree[path]?.forEachItem(at: path) { found, item in
      origins[found] = step
      let former = found.moved(from: path, to: source)
      if !item.marks.isEmpty {
        let survivedSave = former.flatMap { marks[$0]?.survivedSave }
        setMark(
          MarkRecord(mark: item.marks, markedBy: step, survivedSave: survivedSave), of: found)
      } else if let former, let record = marks[former], isPending(record), marks[found] == nil {
        setMark(record, of: found)
      } else {
        lose(found, at: step, .replaced)
      }
    }
  }
}

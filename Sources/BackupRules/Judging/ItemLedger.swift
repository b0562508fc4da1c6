import BackupCollections
import BackupFileTree
import BackupScenarios

/// A record of the step that created each item, and of the marks that the app must set again.
struct ItemLedger: Hashable {
  /// The history of the mark of an item. If the app has marked an item, it must mark it after each save.
  struct MarkRecord: Hashable {
    /// The kinds of mark that the item had last.
    var mark: ExclusionMark
    /// The step that set the mark, or moved or copied the item with it.
    var markedBy: Scenario.StepReference
    /// The first save in place since then that the mark survived.
    var survivedSave: Scenario.StepReference?
    /// The first step since then that left the item without its mark.
    var lostBy: Scenario.StepReference?
    var loss: Loss?

    /// The origin of the mark, as words that follow the item's name.
    var marking: String {
      markedBy.number == .found ? "was marked at the start" : "was marked in \(markedBy)"
    }

    /// True if the app has saved the item since it was marked, and has not marked it again.
    var isPending: Bool { lostBy != nil || survivedSave != nil }
  }

  /// The reason why an item lacks its mark.
  enum Loss: Hashable {
    /// The app created the item again after it was gone.
    case createdAgain
    /// Another item replaced it.
    case replaced
    /// The app saved the item while the kit hid its mark, and did not mark it again.
    case savedUnmarked
  }

  private(set) var origins = SortedMap<ContainerPath, Scenario.StepReference>()
  /// The origin of items that no step has created, in a container that was captured or found.
  private(set) var initialOrigin: Scenario.StepReference?
  /// The items that the app has marked.
  private(set) var marks = SortedMap<ContainerPath, MarkRecord>()
  /// The items that the app must mark again.
  private(set) var pendingMarks = SortedMap<ContainerPath, MarkRecord>()

  /// Returns the step that put an item at its path; nil if no step did.
  func origin(of path: ContainerPath) -> Scenario.StepReference? { origins[path] ?? initialOrigin }

  /// Records the marks before the first step.
  mutating func begin(with tree: FileTree, capturedBy initialOrigin: Scenario.StepReference?) {
    self.initialOrigin = initialOrigin
    tree.visitMarked { path, item in
      setMark(MarkRecord(mark: item.marks, markedBy: .found), of: path)
    }
  }

  mutating func record(_ entry: Transcript.Entry, before: FileTree) {
    // `begin` has recorded the marks of the items found, and they share one origin.
    if case .found = entry.step.number { return initialOrigin = entry.step }
    switch entry.event {
    case .changes(let changes):
      for change in changes { record(change, at: entry.step, before: before, tree: entry.tree) }
    case .system(let event, lost: _):
      guard let path = event.placedFile else { break }
      // The app need not mark the former file any more.
      origins[path] = entry.step
      setMark(nil, of: path)
    default: break
    }
  }

  private mutating func record(
    _ change: FileTree.Change, at step: Scenario.StepReference, before: FileTree, tree: FileTree
  ) {
    switch change {
    case .created(let path):
      origins[path] = step
      recordLoss(of: path, at: step, .createdAgain)
    case .replaced(let path):
      origins[path] = step
      recordLoss(of: path, at: step, .replaced)
    case .savedInPlace(let path):
      if tree[path]?.marks.isEmpty == true, marks[path] != nil {
        recordLoss(of: path, at: step, .savedUnmarked)
      } else if marks[path]?.survivedSave == nil {
        changeMark(of: path) { $0.survivedSave = step }
      }
    case .removed(let path):
      recordRemoval(of: path, before)
    case .moved(let source, to: let path):
      recordTransfer(of: source, to: path, at: step, tree) { _ in true }
      recordRemoval(of: source, before)
    case .copied(let source, to: let path):
      recordTransfer(of: source, to: path, at: step, tree) { $0.lostBy != nil }
    case .marked(let path, let mark):
      setMark(
        MarkRecord(mark: tree[path]?.marks.union(mark) ?? mark, markedBy: step), of: path)
    case .cleared(let path, _):
      guard let now = tree[path]?.marks else { return }
      if now.isEmpty { setMark(nil, of: path) } else { changeMark(of: path) { $0.mark = now } }
    }
  }

  /// Removes the origin of a temporary file of a killed save, for which no step is to blame.
  mutating func removeOrigin(of path: ContainerPath) { origins[path] = nil }

  private mutating func setMark(_ record: MarkRecord?, of path: ContainerPath) {
    marks[path] = record
    pendingMarks[path] = record.flatMap { $0.isPending ? $0 : nil }
  }

  private mutating func changeMark(of path: ContainerPath, _ change: (inout MarkRecord) -> Void) {
    guard var record = marks[path] else { return }
    change(&record)
    setMark(record, of: path)
  }

  private mutating func recordLoss(
    of path: ContainerPath, at step: Scenario.StepReference, _ loss: Loss
  ) {
    changeMark(of: path) { record in
      guard record.lostBy == nil else { return }
      record.lostBy = step
      record.loss = loss
    }
  }

  /// Records that an item is gone with all items in it. The app must still mark a new item in its place.
  private mutating func recordRemoval(of path: ContainerPath, _ before: FileTree) {
    endPending(path)
    before[path]?.forEachItem(at: path) { found, _ in
      endPending(found)
    }
  }

  private mutating func endPending(_ path: ContainerPath) {
    guard pendingMarks[path] != nil else { return }
    changeMark(of: path) { record in
      record.survivedSave = nil
      record.lostBy = nil
    }
  }

  /// Records that an item was moved or copied with all items in it and their marks.
  ///
  /// `isPending` returns true if an unmarked item must be marked at its new path, because of its record at the former
  /// path. A moved item must be, because code may have saved it in the same step, which a later change says.
  private mutating func recordTransfer(
    of source: ContainerPath, to path: ContainerPath, at step: Scenario.StepReference,
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
        recordLoss(of: found, at: step, .replaced)
      }
    }
  }
}

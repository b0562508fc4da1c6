import BackupCollections
import BackupFileTree
import BackupScenarios

/// A record of the step that created each item, and of the marks that the app must set again.
struct ItemLedger: Hashable {
  /// The history of an item's mark. If the app has marked an item, it must mark the item again
  /// after each save.
  struct MarkRecord: Hashable {
    /// The kinds of mark that the item had last.
    var mark: ExclusionMark
    /// The step that set the mark, or that moved or copied the item with its mark.
    var markedInStep: Scenario.StepReference
    /// The first later step that saved the item in place, without removing the mark.
    var survivedSaveInStep: Scenario.StepReference?
    /// The first later step that left the item without its mark.
    var lostInStep: Scenario.StepReference?
    var lossReason: MarkLossReason?

    /// A phrase that follows the item's name in a message: `was marked in step 2`.
    var markingPhrase: String {
      markedInStep.number == .found ? "was marked at the start" : "was marked in \(markedInStep)"
    }

    /// True if the app has saved the item since it was marked, and has not marked it again.
    var isPending: Bool { lostInStep != nil || survivedSaveInStep != nil }
  }

  /// The reason why an item lacks its mark.
  enum MarkLossReason: Hashable {
    /// The app created the item again after its removal.
    case createdAgain
    /// Another item replaced it.
    case replaced
    /// The app saved the item while the kit hid its mark, and did not mark it again.
    case savedUnmarked
  }

  /// The step that put each item at its path.
  private(set) var origins = SortedMap<ContainerPath, Scenario.StepReference>()
  /// The origin of items that no step of the run created: items of a captured container, or items
  /// that existed before the kit watched the container.
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
    tree.visitMarkedItems { path, item in
      setMark(MarkRecord(mark: item.marks, markedInStep: .found), of: path)
    }
  }

  mutating func record(_ entry: Transcript.Entry, before treeBefore: FileTree) {
    // Items that existed before the kit watched the container have one origin. `begin` has already
    // recorded their marks.
    if case .found = entry.step.number { return initialOrigin = entry.step }
    switch entry.event {
    case .changes(let changes):
      for change in changes { record(change, at: entry.step, before: treeBefore, tree: entry.tree) }
    case .system(let event, lost: _):
      guard let path = event.placedFile else { break }
      // The file is new, so a mark of the former file at this path no longer matters.
      origins[path] = entry.step
      setMark(nil, of: path)
    default: break
    }
  }

  private mutating func record(
    _ change: FileTree.Change, at step: Scenario.StepReference, before treeBefore: FileTree,
    tree: FileTree
  ) {
    switch change {
    case .created(let path):
      origins[path] = step
      recordMarkLoss(of: path, at: step, .createdAgain)
    case .replaced(let path):
      origins[path] = step
      recordMarkLoss(of: path, at: step, .replaced)
    case .savedInPlace(let path):
      if tree[path]?.marks.isEmpty == true, marks[path] != nil {
        recordMarkLoss(of: path, at: step, .savedUnmarked)
      } else if marks[path]?.survivedSaveInStep == nil {
        changeMark(of: path) { $0.survivedSaveInStep = step }
      }
    case .removed(let path):
      recordRemoval(of: path, treeBefore)
    case .moved(let source, to: let path):
      recordTransfer(of: source, to: path, at: step, tree) { _ in true }
      recordRemoval(of: source, treeBefore)
    case .copied(let source, to: let path):
      recordTransfer(of: source, to: path, at: step, tree) { $0.lostInStep != nil }
    case .marked(let path, let mark):
      setMark(
        MarkRecord(mark: tree[path]?.marks.union(mark) ?? mark, markedInStep: step), of: path)
    case .cleared(let path, _):
      guard let remainingMark = tree[path]?.marks else { return }
      if remainingMark.isEmpty {
        setMark(nil, of: path)
      } else {
        changeMark(of: path) { $0.mark = remainingMark }
      }
    }
  }

  /// Removes the origin of a killed save's temporary file, for which no step is to blame.
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

  private mutating func recordMarkLoss(
    of path: ContainerPath, at step: Scenario.StepReference, _ reason: MarkLossReason
  ) {
    changeMark(of: path) { record in
      guard record.lostInStep == nil else { return }
      record.lostInStep = step
      record.lossReason = reason
    }
  }

  /// Records that an item is gone with all items in it. If the app creates a new item at the path,
  /// it must mark that item too.
  private mutating func recordRemoval(of path: ContainerPath, _ treeBefore: FileTree) {
    stopExpectingMark(of: path)
    treeBefore[path]?.forEachItem(at: path) { removedPath, _ in
      stopExpectingMark(of: removedPath)
    }
  }

  private mutating func stopExpectingMark(of path: ContainerPath) {
    guard pendingMarks[path] != nil else { return }
    changeMark(of: path) { record in
      record.survivedSaveInStep = nil
      record.lostInStep = nil
    }
  }

  /// Records that an item was moved or copied with all items in it and their marks.
  ///
  /// `keepsRecord` decides whether an unmarked item keeps its record from the former path, so that
  /// the app must mark the item again. A moved item always keeps its record, because the save that
  /// removed the mark may be a later change of the same step.
  private mutating func recordTransfer(
    of source: ContainerPath, to path: ContainerPath, at step: Scenario.StepReference,
    _ tree: FileTree, keepsRecord: (MarkRecord) -> Bool
  ) {
    tree[path]?.forEachItem(at: path) { newPath, item in
      origins[newPath] = step
      let formerPath = newPath.moved(from: path, to: source)
      if !item.marks.isEmpty {
        let survivedSave = formerPath.flatMap { marks[$0]?.survivedSaveInStep }
        setMark(
          MarkRecord(mark: item.marks, markedInStep: step, survivedSaveInStep: survivedSave),
          of: newPath)
      } else if let formerPath, let record = marks[formerPath], keepsRecord(record),
        marks[newPath] == nil
      {
        setMark(record, of: newPath)
      } else {
        recordMarkLoss(of: newPath, at: step, .replaced)
      }
    }
  }
}

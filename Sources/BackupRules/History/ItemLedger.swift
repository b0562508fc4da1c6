import BackupCollections
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// What an app owes each item: who put it there, and whether it has to be marked again.
struct ItemLedger {
  /// An item that the app once marked, and so has to mark at each save.
  struct MarkDuty {
    /// The kinds of mark it had last.
    var mark: ExclusionMark
    /// The step that set it, or carried it here.
    var markedBy: Scenario.StepReference
    /// The first save since that kept the mark by luck.
    var luckySave: Scenario.StepReference?
    /// The first step since that left the item without its mark.
    var lostBy: Scenario.StepReference?
    /// What that step did.
    var loss: Loss?

    /// How it came to be marked, after the item's name in a sentence.
    var marking: String {
      markedBy.number == .found ? "was marked at the start" : "was marked at \(markedBy)"
    }

    /// Whether the item was saved since it was marked, and the mark not set again.
    var isOpen: Bool { lostBy != nil || luckySave != nil }
  }

  /// How an item came to lack its mark.
  enum Loss {
    /// It was made again after it was gone.
    case createdAgain
    /// Another item took its place.
    case replaced
    /// It was saved while its mark was set aside, and not marked again.
    case savedUnmarked
  }

  /// The step that put each item where it is.
  private(set) var origins = SortedMap<ContainerPath, Scenario.StepReference>()
  /// What stands for the step that put an item where it is, in containers that were found as they
  /// are; nil in others.
  private(set) var finding: Scenario.StepReference?
  /// The files that the system put there and the app has not written since.
  private(set) var placed = SortedMap<ContainerPath, Scenario.StepReference>()
  /// The items that the app once marked.
  private(set) var duties = SortedMap<ContainerPath, MarkDuty>()
  /// Those of them that are open.
  private(set) var openDuties = SortedMap<ContainerPath, MarkDuty>()

  /// The step that is to blame for an item's being where it is; nil where no app is.
  func origin(of path: ContainerPath) -> Scenario.StepReference? { origins[path] ?? finding }

  /// Notes what is marked before the first step: it has to be marked at each save.
  mutating func begin(with tree: FileTree) {
    tree.visit {
      !$0.marks.isEmpty
    } _: { path, item in
      setDuty(MarkDuty(mark: item.marks, markedBy: .found), of: path)
    }
  }

  /// Follows what happened.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - before: The container before that.
  mutating func follow(_ entry: Transcript.Entry, before: FileTree) {
    if case .found = entry.step.number { finding = entry.step }
    switch entry.event {
    case .changes(let changes):
      for change in changes { follow(change, at: entry.step, before: before, tree: entry.tree) }
    case .place(let path): place(path, at: entry.step)
    default: break
    }
  }

  /// Follows what the app did in a step.
  ///
  /// - Parameters:
  ///   - change: One thing it did.
  ///   - step: The step.
  ///   - before: The container before the step.
  ///   - tree: The container after the step.
  private mutating func follow(
    _ change: FileTree.Change, at step: Scenario.StepReference, before: FileTree, tree: FileTree
  ) {
    if !placed.isEmpty { takeOver(change, before) }
    switch change {
    case .created(let path):
      origins[path] = step
      lose(path, at: step, .createdAgain)
    case .replaced(let path):
      origins[path] = step
      lose(path, at: step, .replaced)
    case .savedInPlace(let path):
      if tree[path]?.marks.isEmpty == true, duties[path] != nil {
        lose(path, at: step, .savedUnmarked)
      } else if duties[path]?.luckySave == nil {
        changeDuty(of: path) { $0.luckySave = step }
      }
    case .removed(let path):
      forget(path, before)
    case .moved(let source, to: let path):
      carry(source, to: path, at: step, tree) { _ in true }
      forget(source, before)
    case .copied(let source, to: let path):
      carry(source, to: path, at: step, tree) { $0.lostBy != nil }
    case .marked(let path, let mark):
      setDuty(
        MarkDuty(mark: tree[path]?.marks.union(mark) ?? mark, markedBy: step), of: path)
    case .cleared(let path, _):
      guard let marks = tree[path]?.marks else { return }
      if marks.isEmpty { setDuty(nil, of: path) } else { changeDuty(of: path) { $0.mark = marks } }
    }
  }

  /// Notes that the system put a file there; for what stood there the app owes nothing any more.
  private mutating func place(_ path: ContainerPath, at step: Scenario.StepReference) {
    placed[path] = step
    origins[path] = step
    setDuty(nil, of: path)
  }

  /// Notes that files which the system put there are the app's now, or gone.
  private mutating func takeOver(_ change: FileTree.Change, _ before: FileTree) {
    let changed: [ContainerPath]
    switch change {
    case .created(let path), .replaced(let path), .savedInPlace(let path), .copied(_, let path):
      changed = [path]
    case .removed(let path): changed = before.paths(from: path)
    case .moved(let source, let path): changed = before.paths(from: source) + [path]
    case .marked, .cleared: return
    }
    for path in changed where placed[path] != nil { placed[path] = nil }
  }

  /// Notes what the app owes an item, or that it owes nothing.
  private mutating func setDuty(_ duty: MarkDuty?, of path: ContainerPath) {
    duties[path] = duty
    openDuties[path] = duty.flatMap { $0.isOpen ? $0 : nil }
  }

  /// Changes what the app owes an item, if it owes it anything.
  private mutating func changeDuty(of path: ContainerPath, _ change: (inout MarkDuty) -> Void) {
    guard var duty = duties[path] else { return }
    change(&duty)
    setDuty(duty, of: path)
  }

  /// Notes that an item stands where a marked one has to be, without the mark.
  private mutating func lose(_ path: ContainerPath, at step: Scenario.StepReference, _ loss: Loss) {
    changeDuty(of: path) { duty in
      guard duty.lostBy == nil else { return }
      duty.lostBy = step
      duty.loss = loss
    }
  }

  /// Notes that an item is gone, with all in it; a new one in its place has to be marked still.
  private mutating func forget(_ path: ContainerPath, _ before: FileTree) {
    forget(at: path)
    before[path]?.walk(at: path) { found, _ in
      forget(at: found)
      return true
    }
  }

  /// Notes that one item is gone.
  private mutating func forget(at path: ContainerPath) {
    guard openDuties[path] != nil else { return }
    changeDuty(of: path) { duty in
      duty.luckySave = nil
      duty.lostBy = nil
    }
  }

  /// Notes that an item came to a path, with all in it and the marks on that.
  ///
  /// `keepsDuty` says whether an unmarked item still owes what it owed at its former path. A moved
  /// one does: real code may have saved it in the same step, which a later change says.
  private mutating func carry(
    _ source: ContainerPath, to path: ContainerPath, at step: Scenario.StepReference,
    _ tree: FileTree,
    keepsDuty: (MarkDuty) -> Bool
  ) {
    tree[path]?.walk(at: path) { found, item in
      origins[found] = step
      let former = found.moved(from: path, to: source)
      if !item.marks.isEmpty {
        let luckySave = former.flatMap { duties[$0]?.luckySave }
        setDuty(MarkDuty(mark: item.marks, markedBy: step, luckySave: luckySave), of: found)
      } else if let former, let duty = duties[former], keepsDuty(duty),
        duties[found] == nil
      {
        setDuty(duty, of: found)
      } else {
        lose(found, at: step, .replaced)
      }
      return true
    }
  }
}

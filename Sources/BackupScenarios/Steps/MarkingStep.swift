import BackupFileTree

/// A step that sets or clears a mark: `keyword: PATH`, with `using` to name which.
protocol MarkingStep: StepAction {
  /// Whether it sets the mark.
  static var isSetting: Bool { get }

  /// The item and the mark.
  var target: MarkTarget { get }

  /// A step on an item.
  init(target: MarkTarget)
}

/// An item and a mark on it.
struct MarkTarget {
  /// The item.
  let path: ContainerPath
  /// The mark.
  let mark: ExclusionMark
}

extension MarkingStep {
  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let mark = step.mark()
    guard let path else { return nil }
    self.init(target: MarkTarget(path: path, mark: mark))
  }

  var summary: String { "\(Self.keyword) \(target.path)" }
  static var actor: StepActor { .app }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.setMark(target.mark, on: target.path, to: Self.isSetting)
  }
}

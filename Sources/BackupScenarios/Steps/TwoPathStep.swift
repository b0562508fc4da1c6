import BackupFileTree

/// A step on two paths and nothing else: `keyword: PATH, to: PATH`.
protocol TwoPathStep: StepAction {
  /// The two paths.
  var paths: TwoPaths { get }

  /// A step on two paths.
  init(paths: TwoPaths)

  /// What it does.
  var operation: FileOperation { get }
}

/// The paths of a step that has two.
struct TwoPaths {
  /// What the keyword names.
  let first: ContainerPath
  /// What `to` names.
  let second: ContainerPath
}

extension TwoPathStep {
  init?(reading step: inout StepReader) {
    let first = step.subjectPath()
    let second = step.requiredPath("to")
    guard let first, let second else { return nil }
    self.init(paths: TwoPaths(first: first, second: second))
  }

  var summary: String { "\(Self.keyword) \(paths.first) to \(paths.second)" }
  static var actor: StepActor { .app }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(operation)
  }
}

import BackupFileTree

/// `move: PATH, to: PATH`; `over: true` renames over what is there.
struct MoveStep: StepAction {
  static let keyword = "move"

  /// The item.
  let path: ContainerPath
  /// Where it goes.
  let destination: ContainerPath
  /// Whether it may replace what is there.
  let isReplacing: Bool

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let destination = step.requiredPath("to")
    self.isReplacing = step.boolean("over", default: false)
    guard let path, let destination else { return nil }
    self.path = path
    self.destination = destination
  }

  var summary: String { "move \(path) to \(destination)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.move(path, to: destination, replacing: isReplacing))
  }
}

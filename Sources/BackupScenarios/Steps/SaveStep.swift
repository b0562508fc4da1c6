import BackupFileTree

/// `save: PATH` with `size` or `contents`, and `how`.
struct SaveStep: StepAction {
  static let keyword = "save"

  /// The file.
  let path: ContainerPath
  /// What is written.
  let contents: FileOperation.Contents
  /// How it is written.
  let method: FileOperation.WriteMethod

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let contents = step.contents()
    self.method = step.word("how", default: .atomically)
    guard let path, let contents else { return nil }
    self.path = path
    self.contents = contents
  }

  var summary: String { "save \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.write(path, contents, method: method))
  }
}

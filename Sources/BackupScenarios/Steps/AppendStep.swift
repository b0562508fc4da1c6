import BackupFileTree

/// `append: PATH` with `size` or `contents`: in place, to a file that exists.
struct AppendStep: StepAction {
  static let keyword = "append"

  /// The file.
  let path: ContainerPath
  /// What is written to its end.
  let contents: FileOperation.Contents

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let contents = step.contents()
    guard let path, let contents else { return nil }
    self.path = path
    self.contents = contents
  }

  var summary: String { "append \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.append(path, contents))
  }
}

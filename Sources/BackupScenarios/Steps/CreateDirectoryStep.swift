import BackupFileTree

/// `createDirectory: PATH`: with those above it unless `intermediates: false`.
struct CreateDirectoryStep: StepAction {
  static let keyword = "createDirectory"

  /// The directory.
  let path: ContainerPath
  /// Whether those above it are made too.
  let intermediates: Bool

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    self.intermediates = step.boolean("intermediates", default: true)
    guard let path else { return nil }
    self.path = path
  }

  var summary: String { "createDirectory \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.createDirectory(path, intermediates: intermediates))
  }
}

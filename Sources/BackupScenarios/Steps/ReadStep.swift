import BackupFileTree
import BackupJSON5

/// `read: PATH`: the app reads a file; `ifMissing` says what it does where there is none.
struct ReadStep: StepAction {
  static let keyword = "read"

  /// What an app that checks does about a missing file.
  enum WhenMissing: String, CaseIterable {
    /// Saves it again.
    case recreate
    /// Goes on without it.
    case skip
  }

  /// The file.
  let path: ContainerPath
  /// What the app does where it is missing; nil for an app that does not check.
  let whenMissing: WhenMissing?
  /// What is saved again.
  let contents: FileOperation.Contents?

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let choice = step.optional("ifMissing")
    self.whenMissing = choice?.word(of: WhenMissing.self, step.collector)
    self.contents = step.contents(isRequired: whenMissing == .recreate)
    if let contents, whenMissing != .recreate, choice == nil || whenMissing == .skip {
      step.collector.error(
        "\(contents.size) bytes to save, but nothing is saved here; add ifMissing: \"recreate\"",
        at: step.subject.position)
    }
    guard let path, choice == nil || whenMissing != nil else { return nil }
    self.path = path
  }

  var summary: String { "read \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    let found = try run.scan()[path]
    guard found == nil || found?.isDirectory == true else { return }
    switch whenMissing {
    case .skip: return
    case .recreate:
      guard let contents else { return }
      try run.perform(.write(path, contents, method: .atomically))
    case nil:
      guard found == nil else { throw StepFailure(FileOperationError(.isADirectory, path)) }
      run.note(.readMissing(path))
      throw StepFailure(FileOperationError(.noSuchFile, path), isReportedByRule: true)
    }
  }
}

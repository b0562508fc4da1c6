import BackupDiagnostics
import BackupFileTree

/// `read: PATH`: the app reads a file; `ifMissing` says what it does where there is none.
struct ReadStep: StepAction {
  private static let pathField = Field("read", .path, default: .required, "The file to read.")
  /// `ifMissing`, which an app has that checks.
  private static let ifMissingField = Field(
    "ifMissing", .word(of: WhenMissing.self),
    default: .inWords("the app does not check, and a missing file is a finding"),
    "recreate: an app that checks, and saves the file again. skip: an app that checks, and goes on "
      + "without the file.")
  /// `size` and `contents`, of which one says what is written.
  private static let contentsFields = ContentsFields("saved where it is missing")

  static let declaration = StepDeclaration(
    pathField, by: .app,
    "The app reads a file. Where it is missing, the app goes on without it, or saves it again, with "
      + "either 'size' or 'contents'.",
    examples: [
      ["read": "Documents/notes.txt"],
      ["read": "Library/Caches/stars.db", "ifMissing": "skip"],
      ["read": "Library/Caches/1.png", "ifMissing": "recreate", "size": "2 MB"],
    ],
    beside: [ifMissingField] + contentsFields.all,
    rules: [
      .exactlyOneOf(
        contentsFields.all, where: ifMissingField, is: WhenMissing.recreate.rawValue,
        isNot: WhenMissing.skip.rawValue)
    ])

  /// What an app that checks does about a missing file.
  enum WhenMissing: String, CaseIterable {
    case recreate
    case skip
  }

  let path: ContainerPath
  /// What the app does where it is missing; nil for an app that does not check.
  let whenMissing: WhenMissing?
  let contents: FileOperation.Contents?

  init?(reading step: ObjectReader) {
    let isMistaken = step.isMistaken(Self.ifMissingField)
    self.whenMissing = step[Self.ifMissingField]
    self.contents = Self.contentsFields.read(step, isRequired: whenMissing == .recreate)
    if let contents, whenMissing != .recreate, !isMistaken {
      step[Self.pathField.key]?.note(
        "\(Int(contents.size).counted("byte")) to save, but nothing is saved here; add ifMissing: \"recreate\""
      )
    }
    guard let path = step[Self.pathField], !isMistaken else { return nil }
    self.path = path
  }

  var summary: String { "read \(path)" }

  var repeatablePath: ContainerPath? { path }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    let found = try run.look()[path]
    if whenMissing == nil, run.noteStaleLink(onTheWayTo: [path], wrappedIn: nil) {
      throw StepFailure(FileOperationError(.noSuchFile, path), isReportedByRule: true)
    }
    let isThere = found?.isDirectory == false && !run.hasStaleLink(onTheWayTo: path)
    switch whenMissing {
    case .skip: return
    case .recreate:
      guard !isThere, let contents else { return }
      try run.perform(.write(path, contents, method: .atomically))
    case nil:
      guard isThere || found == nil else {
        throw StepFailure(FileOperationError(.isADirectory, path))
      }
      run.noteUncheckedRead(path, isThere: isThere)
      guard isThere else {
        throw StepFailure(FileOperationError(.noSuchFile, path), isReportedByRule: true)
      }
    }
  }
}

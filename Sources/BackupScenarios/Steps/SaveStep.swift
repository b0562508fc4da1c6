import BackupFileTree

/// `save: PATH` with `size` or `contents`, and `how`.
struct SaveStep: StepAction {
  private static let pathField = Field("save", .path, default: .required, "The file to save.")
  /// `size` and `contents`, of which one says what is written.
  private static let contentsFields = ContentsFields("saved", "; large files cost nothing")
  /// `how`: one of the ways that lose or keep a mark.
  private static let methodField = Field(
    "how", .word(of: FileOperation.WriteMethod.self), default: .value("atomically"),
    "atomically: a temporary file renamed over, so a new file. inPlace: the same file. "
      + "deleteFirst: removed and created again.")

  static let declaration = StepDeclaration(
    pathField, by: .app,
    "The app saves a file, with either 'size' or 'contents'; its directory must be there.",
    examples: [["save": "Documents/notes.txt", "size": "10 KB"]],
    beside: contentsFields.all + [methodField], rules: [.exactlyOne(of: contentsFields.all)])

  let path: ContainerPath
  let contents: FileOperation.Contents
  let method: FileOperation.WriteMethod

  init?(reading step: ObjectReader) {
    let contents = Self.contentsFields.read(step)
    guard let path = step[Self.pathField], let contents, let method = step[Self.methodField]
    else { return nil }
    self.path = path
    self.contents = contents
    self.method = method
  }

  var summary: String { "save \(path)" }

  var repeatablePath: ContainerPath? { path }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.write(path, contents, method: method))
  }
}

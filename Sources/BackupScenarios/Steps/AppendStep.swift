import BackupFileTree

/// `append: PATH` with `size` or `contents`: in place, to a file that exists.
struct AppendStep: StepAction {
  private static let pathField = Field(
    "append", .path, default: .required, "The file to write to.")
  /// `size` and `contents`, of which one says what is written.
  private static let contentsFields = ContentsFields("written to its end")

  static let declaration = StepDeclaration(
    pathField, by: .app,
    "The app writes to the end of a file that exists, in place, either 'size' or 'contents'.",
    examples: [["append": "Documents/log.txt", "contents": "One more line"]],
    beside: contentsFields.all, rules: [.exactlyOne(of: contentsFields.all)])

  let path: ContainerPath
  /// What is written to its end.
  let contents: FileOperation.Contents

  init?(reading step: ObjectReader) {
    let contents = Self.contentsFields.read(step)
    guard let path = step[Self.pathField], let contents else { return nil }
    self.path = path
    self.contents = contents
  }

  var summary: String { "append \(path)" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.append(path, contents))
  }
}

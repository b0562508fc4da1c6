import BackupFileTree

/// `place: PATH` with `size` or `contents`: the system puts a file into the container.
struct PlaceStep: StepAction {
  private static let pathField = Field(
    "place", .path, default: .required, "The file; missing directories above it are made.")
  /// `size` and `contents`, of which one says what the file holds.
  private static let contentsFields = ContentsFields("in it", "; large files cost nothing")

  static let declaration = StepDeclaration(
    pathField, by: .system,
    "The system puts a file there, or in the place of one, with either 'size' or 'contents': what "
      + "another app hands over, the user's doing in Files, a download in the background. The app is "
      + "not started, and what becomes of the file is not its fault until it writes it.",
    examples: [["place": "Documents/Inbox/letter.pdf", "size": "200 KB"]],
    beside: contentsFields.all, rules: [.exactlyOne(of: contentsFields.all)])

  let path: ContainerPath
  let contents: FileOperation.Contents

  init?(reading step: ObjectReader) {
    let contents = Self.contentsFields.read(step)
    guard let path = step[Self.pathField], let contents else { return nil }
    self.path = path
    self.contents = contents
  }

  var summary: String { "place \(path)" }
  var needsApp: Bool { true }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.place(contents, at: path)
  }
}

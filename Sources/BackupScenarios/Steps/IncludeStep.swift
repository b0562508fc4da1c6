import BackupFileTree

/// `include: PATH`: clears a mark; `using` names which.
struct IncludeStep: StepAction {
  private static let pathField = Field(
    "include", .path, default: .required, "The item whose mark is cleared.")
  /// `using`: the interface that the app uses.
  private static let markField = Field(
    "using", .mark, default: .value("resourceValue"),
    "Which mark is cleared: resourceValue (iOS 5.1 on) or extendedAttribute (the way of 5.0.1).")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app clears a mark; one that is not set is no error.",
    examples: [["include": "Documents/notes.txt"]], beside: [markField])

  let path: ContainerPath
  let mark: ExclusionMark

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let mark = step[Self.markField] else { return nil }
    self.path = path
    self.mark = mark
  }

  var summary: String { "include \(path)" }

  var repeatablePath: ContainerPath? { path }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.setMark(mark, on: path, to: false)
  }
}

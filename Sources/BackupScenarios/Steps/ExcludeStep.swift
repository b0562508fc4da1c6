import BackupFileTree

/// `exclude: PATH`: sets a mark; `using` names which.
struct ExcludeStep: StepAction {
  private static let pathField = Field("exclude", .path, default: .required, "The item to mark.")
  /// `using`: the interface that the app uses.
  private static let markField = Field(
    "using", .mark, default: .value("resourceValue"),
    "Which mark is set: resourceValue (iOS 5.1 on) or extendedAttribute (the way of 5.0.1).")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app marks an item to stay out of backups.",
    examples: [["exclude": "Library/Application Support/Movies/1.mp4"]], beside: [markField])

  let path: ContainerPath
  let mark: ExclusionMark

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let mark = step[Self.markField] else { return nil }
    self.path = path
    self.mark = mark
  }

  var summary: String { "exclude \(path)" }

  var repeatablePath: ContainerPath? { path }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.setMark(mark, on: path, to: true)
  }
}

import BackupFileTree

/// `remove: PATH`: with all in it.
struct RemoveStep: StepAction {
  private static let pathField = Field("remove", .path, default: .required, "The item to remove.")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app removes an item, with all in it.",
    examples: [["remove": "tmp/draft.txt"]])

  let path: ContainerPath

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField] else { return nil }
    self.path = path
  }

  var summary: String { "remove \(path)" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.remove(path))
  }
}

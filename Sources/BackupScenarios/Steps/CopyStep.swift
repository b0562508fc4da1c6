import BackupFileTree

/// `copy: PATH, to: PATH`: with all in it and every mark.
struct CopyStep: StepAction {
  private static let pathField = Field("copy", .path, default: .required, "The item to copy.")
  /// `to`, which has to be there.
  private static let destinationField = Field(
    "to", .path, default: .required, "The copy's path, where nothing may be.")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app copies an item, with all in it and every mark.",
    examples: [["copy": "Documents/letter.txt", "to": "Documents/letter 2.txt"]],
    beside: [destinationField])

  let path: ContainerPath
  let destination: ContainerPath

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let destination = step[Self.destinationField] else {
      return nil
    }
    self.path = path
    self.destination = destination
  }

  var summary: String { "copy \(path) to \(destination)" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.copy(path, to: destination))
  }
}

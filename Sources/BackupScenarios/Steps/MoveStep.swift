import BackupFileTree

/// `move: PATH, to: PATH`; `over: true` renames over what is there.
struct MoveStep: StepAction {
  private static let pathField = Field("move", .path, default: .required, "The item to move.")
  /// `to`, which has to be there.
  private static let destinationField = Field("to", .path, default: .required, "Its new path.")
  /// `over`, without which nothing is replaced.
  private static let overField = Field(
    "over", .boolean, default: .value(false),
    "Whether it is renamed over what is there; without it that is an error.")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app moves an item, with its marks.",
    examples: [["move": "tmp/draft.txt", "to": "Documents/letter.txt"]],
    beside: [destinationField, overField])

  let path: ContainerPath
  let destination: ContainerPath
  let isReplacing: Bool

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let destination = step[Self.destinationField],
      let isReplacing = step[Self.overField]
    else { return nil }
    self.path = path
    self.destination = destination
    self.isReplacing = isReplacing
  }

  var summary: String { "move \(path) to \(destination)" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.move(path, to: destination, replacing: isReplacing))
  }
}

import BackupFileTree

/// `link: PATH, to: PATH`: makes a symbolic link at the first path that points to the second.
struct LinkStep: StepAction {
  /// The keyword, with the link.
  private static let pathField = Field("link", .path, default: .required, "The link to make.")
  /// `to`, which has to be there.
  private static let destinationField = Field(
    "to", .path, default: .required, "What it points to; need not be there.")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app makes a symbolic link to an item.",
    examples: [["link": "Documents/latest", "to": "Library/Caches/latest"]],
    beside: [destinationField])

  /// The link.
  let path: ContainerPath
  /// What it points to, which need not be there.
  let destination: ContainerPath

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let destination = step[Self.destinationField] else {
      return nil
    }
    self.path = path
    self.destination = destination
  }

  var summary: String { "link \(path) to \(destination)" }

  func perform(in context: inout some StepContext) throws(StepFailure) {
    try context.perform(.link(path, destination: destination))
  }
}

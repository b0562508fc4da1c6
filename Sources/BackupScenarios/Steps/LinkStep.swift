import BackupFileTree

/// `link: PATH, to: PATH`: makes a symbolic link at the first path that points to the second;
/// `absolute: true` by an absolute path.
struct LinkStep: StepAction {
  private static let pathField = Field("link", .path, default: .required, "The link to make.")
  /// `to`, which has to be there.
  private static let destinationField = Field(
    "to", .path, default: .required, "What it points to; need not be there.")
  /// `absolute`, which an app's link is that is made by a URL in the container.
  private static let absoluteField = Field(
    "absolute", .boolean, default: .value(false),
    "Whether the link holds an absolute path, which an update or a restore makes out of date.")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app makes a symbolic link to an item.",
    examples: [["link": "Documents/latest", "to": "Library/Caches/latest"]],
    beside: [destinationField, absoluteField])

  let path: ContainerPath
  /// What it points to, which need not be there.
  let destination: ContainerPath
  /// Whether it holds the absolute path of that.
  let isAbsolute: Bool

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let destination = step[Self.destinationField],
      let isAbsolute = step[Self.absoluteField]
    else { return nil }
    self.path = path
    self.destination = destination
    self.isAbsolute = isAbsolute
  }

  var summary: String { "link \(path) to \(destination)" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.link(path, destination: destination))
    if isAbsolute { try run.makeAbsolute(path, destination) }
  }
}

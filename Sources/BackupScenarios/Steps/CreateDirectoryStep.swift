import BackupFileTree

/// `createDirectory: PATH`: with those above it unless `intermediates: false`.
struct CreateDirectoryStep: StepAction {
  private static let pathField = Field(
    "createDirectory", .path, default: .required, "The directory to create.")
  /// `intermediates`, as Foundation names it.
  private static let intermediatesField = Field(
    "intermediates", .boolean, default: .value(true),
    "Whether missing directories above it are created too; if not, these must exist, and the "
      + "directory itself must not.")

  static let declaration = StepDeclaration(
    pathField, by: .app, "The app creates a directory.",
    examples: [["createDirectory": "Library/Application Support/Movies"]],
    beside: [intermediatesField])

  let path: ContainerPath
  /// Whether those above it are made too.
  let intermediates: Bool

  init?(reading step: ObjectReader) {
    guard let path = step[Self.pathField], let intermediates = step[Self.intermediatesField]
    else { return nil }
    self.path = path
    self.intermediates = intermediates
  }

  var summary: String { "createDirectory \(path)" }

  var repeatablePath: ContainerPath? { intermediates ? path : nil }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.createDirectory(path, intermediates: intermediates))
  }
}

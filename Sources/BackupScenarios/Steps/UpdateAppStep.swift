import BackupDiagnostics
import BackupFileTree

/// `updateApp: "2.0"`: a new bundle and container path; `keeping` names what is carried over too.
struct UpdateAppStep: StepAction {
  /// The keyword, with the new version.
  private static let versionField = Field(
    "updateApp",
    .filledString(
      "the new version, such as \"2.0\"",
      empty: "the version is empty; expected the new version, such as \"2.0\""),
    default: .required, "The app's new version.")
  /// `keeping`: more than what is always carried over.
  private static let keepingField = Field(
    "keeping", .list(of: .path, named: "paths"),
    "What this update carries over beside Documents and Library.", examples: [["tmp"]])

  static let declaration = StepDeclaration(
    versionField, by: .system,
    "The app is ended and updated: a new bundle and a new container path; Documents and Library are "
      + "carried over, with their marks.",
    examples: [["updateApp": "2.0"]], beside: [keepingField])

  /// The new version.
  let version: String
  /// What this update carries over beside Documents and Library.
  let keeping: [ContainerPath]

  init?(reading step: ObjectReader) {
    guard let version = step[Self.versionField] else { return nil }
    self.version = version
    self.keeping = step[Self.keepingField] ?? []
  }

  var summary: String { "updateApp \(EscapedText.escape(version))" }

  func perform(in context: inout some StepContext) throws(StepFailure) {
    try context.updateApp(to: version, keeping: keeping)
  }
}

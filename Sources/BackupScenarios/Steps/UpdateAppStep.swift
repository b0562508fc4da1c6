import BackupDiagnostics
import BackupFileTree

/// `updateApp: "2.0"`: a new bundle and container path; `keeping` names what is carried over too, and
/// `losing` what is not.
struct UpdateAppStep: StepAction {
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
  /// `losing`: what need not be carried over and is not.
  private static let losingField = Field(
    "losing", .list(of: .losable, named: "patterns"),
    "What this update does not carry over, of what it need not: patterns of items in "
      + "Library/Caches, in tmp and beside Documents and Library, each with all in it.",
    examples: [["Library/Caches/**"]])

  static let declaration = StepDeclaration(
    versionField, by: .system,
    "The app is ended and updated: a new bundle and a new container path; Documents and Library are "
      + "carried over, with their marks.",
    examples: [["updateApp": "2.0"]], beside: [keepingField, losingField])

  let version: String
  /// What this update carries over beside Documents and Library.
  let keeping: [ContainerPath]
  /// What it does not carry over, of what it need not.
  let losing: [PathPattern]

  init?(reading step: ObjectReader) {
    guard let version = step[Self.versionField] else { return nil }
    self.version = version
    self.keeping = step[Self.keepingField] ?? []
    self.losing = step[Self.losingField] ?? []
    if let path = keeping.first(where: { path in losing.contains { $0.matches(path) } }) {
      step[Self.keepingField.key]?.note(
        "'\(path)' is what this update is to lose too; leave it out of 'keeping' or of 'losing'")
    }
  }

  var summary: String { "updateApp \(EscapedText.escape(version))" }
  var needsApp: Bool { true }

  var updatesApp: Bool { true }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.updateApp(to: version, keeping: keeping, losing: losing)
  }
}

extension Form where Value == PathPattern {
  /// A pattern of what an update of the app need not carry over.
  fileprivate static var losable: Form {
    let form = pattern.map { pattern, reader -> PathPattern? in
      if !pattern.canBeLostInUpdate {
        reader.note(
          "an update keeps Documents, and Library but for Library/Caches; begin the pattern with "
            + "Library/Caches, or with the name of what lies beside Documents and Library, as tmp")
      }
      return pattern
    }
    return form.described(
      by: form.schema.adding([
        "pattern":
          #"^(?:(?!group\.)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+:/)?(?:Library/Caches(?:/|$)|(?!(?:Documents|Library|[^/]*:)(?:/|$))[^/*?]+(?:/|$))"#
      ])
    ).named(
      "losablePattern",
      "A pattern of items that an update need not carry over: in Library/Caches, or beside "
        + "Documents and Library.",
      examples: ["Library/Caches/**", "tmp/**"])
  }
}

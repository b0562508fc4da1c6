import BackupDiagnostics
import BackupFileTree

extension StepKind {
  /// `updateApp: "2.0"`: a new bundle and container path; `keeping` names what is carried over too,
  /// and `losing` what is not.
  static let updateApp: StepKind = {
    let version = Field(
      "updateApp",
      .filledString(
        "the new version, such as \"2.0\"",
        empty: "the version is empty; expected the new version, such as \"2.0\""),
      default: .required, "The app's new version.")
    let keeping = Field<[ContainerPath]>(
      "keeping", .list(of: .path, named: "paths"),
      "What this update carries over beside Documents and Library.", examples: [["tmp"]])
    let losing = Field(
      "losing", .list(of: .losable, named: "patterns"),
      "What this update does not carry over, of what it need not: patterns of items in "
        + "Library/Caches, in tmp and beside Documents and Library, each with all in it.",
      examples: [["Library/Caches/**"]])
    return StepKind(
      version, by: .system,
      "The app is ended and updated: a new bundle and a new container path; Documents and Library are "
        + "carried over, with their marks.",
      examples: [["updateApp": "2.0"]], beside: [keeping, losing]
    ) { step in
      guard let version = step[version] else { return nil }
      let (kept, lost) = (step[keeping] ?? [], step[losing] ?? [])
      if let path = kept.first(where: { path in lost.contains { $0.matches(path) } }) {
        step[keeping.key]?.note(
          "'\(path)' is what this update is to lose too; leave it out of 'keeping' or of 'losing'")
      }
      return StepAction(
        "updateApp \(EscapedText.escape(version))", needsApp: true, updatesApp: true
      ) { run throws(StepFailure) in
        try run.updateApp(to: version, keeping: kept, losing: lost)
      }
    }
  }()
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

import BackupFileTree

extension StepKind {
  static let updateApp: StepKind = {
    let version = Field(
      "updateApp",
      .nonemptyString(
        "the new version, such as \"2.0\"",
        empty: "the version is empty; expected the new version, such as \"2.0\""),
      default: .required, "The app's new version.")
    let keeping = Field<[ContainerPath]>(
      "keeping", .list(of: .path, named: "paths"),
      "The update also keeps these items, which are outside Documents and Library.",
      examples: [["tmp"]])
    let losing = Field(
      "losing", .list(of: .losable, named: "patterns"),
      "The update also deletes items that match these patterns. The items are in Library/Caches, or "
        + "inside an item of 'keeping'.",
      examples: [["Library/Caches/**"]])
    return StepKind(
      .updateApp, version,
      "iOS ends and updates the app. The container gets a new path. By default, the update keeps "
        + "all items and marks in Documents and Library, and deletes all other items. If the version is lower than "
        + "before, reports call the step a rollback.",
      examples: [["updateApp": "2.0"]], beside: [keeping, losing]
    ) { step in
      guard let version = step[version] else { return nil }
      let (keptPaths, lostPatterns) = (step[keeping] ?? [], step[losing] ?? [])
      if let path = keptPaths.first(where: { path in lostPatterns.contains { $0.matches(path) } }) {
        step[keeping.key]?.report(
          "'\(path)' is in both 'keeping' and 'losing'; remove it from one of them")
      }
      return .system(.updateApp(to: version, keeping: keptPaths, losing: lostPatterns))
    }
  }()
}

extension Form where Value == PathPattern {
  fileprivate static var losable: Form {
    let form = pattern.map { pattern, reader -> PathPattern? in
      if !pattern.canBeLostInUpdate {
        reader.report(
          "an update always keeps Documents and Library, except Library/Caches; begin the pattern "
            + "with Library/Caches, or with a name beside Documents and Library, such as tmp")
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
      "A pattern of items that an update may lose: in Library/Caches, or beside Documents and "
        + "Library.",
      examples: ["Library/Caches/**", "tmp/**"])
  }
}

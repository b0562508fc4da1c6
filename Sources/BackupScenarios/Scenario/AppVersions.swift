import BackupDiagnostics
import BackupJSON5
import Foundation

/// The versions of the app with which a step runs, for example a migration.
enum AppVersions: Hashable, Sendable {
  case named([String])
  /// The versions from `from` on, and before `before`. At least one of the two is not nil.
  case range(from: String?, before: String?)

  func contains(_ version: String) -> Bool {
    switch self {
    case .named(let versions): versions.contains { $0.comparedAsVersion(version) == .orderedSame }
    case .range(let from, let before):
      from.map { version.comparedAsVersion($0) != .orderedAscending } != false
        && before.map { version.comparedAsVersion($0) == .orderedAscending } != false
    }
  }

  /// The versions in the form of a scenario file.
  var fileValue: LocatedValue {
    switch self {
    case .named(let versions):
      versions.count == 1 ? .string(versions[0]) : .strings(versions)
    case .range(let from, let before):
      .object(
        [("from", from), ("before", before)].compactMap { key, version in
          version.map { (key: key, value: .string($0)) }
        })
    }
  }
}

extension String {
  /// Compares versions number by number, so that 1.10 is later than 1.9, and 2 is equal to 2.0.
  func comparedAsVersion(_ other: String) -> ComparisonResult {
    let components = [self, other].map { $0.split(separator: ".").map(String.init) }
    for index in 0..<max(components[0].count, components[1].count) {
      let (left, right) = (
        components[0].dropFirst(index).first, components[1].dropFirst(index).first
      )
      let order = (left ?? "0").compare(right ?? "0", options: .numeric)
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }

  package func isEarlierVersion(than other: String) -> Bool {
    comparedAsVersion(other) == .orderedAscending
  }
}

extension Form where Value == AppVersions {
  static var appVersions: Form {
    let versionForm = Form<String>.nonemptyString(
      "a version of the app, such as \"2.0\"",
      empty: "the version is empty; expected a version of the app, such as \"2.0\"")
    let fromField = Field("from", versionForm, "The first version of the app.", examples: ["2.0"])
    let beforeField = Field(
      "before", versionForm, "The first version that is too late.", examples: ["3.0"])
    let rangeForm = Form<AppVersions>.object(
      "{ from: \"2.0\", before: \"3.0\" }", [fromField, beforeField]
    ) {
      object in
      let (first, firstTooLate) = (object[fromField], object[beforeField])
      guard first != nil || firstTooLate != nil else {
        if object.keys.isEmpty {
          object.reader.report("the range is empty; add 'from', 'before' or both")
        }
        return nil
      }
      return .range(from: first, before: firstTooLate)
    }
    let listForm = Form<[String]>.oneOrMore(of: versionForm, named: "version of the app")
    var form = Form(
      expected: "a version of the app, a list of versions, or \(rangeForm.expected)",
      words: "string, list of strings, or object",
      schema: ["anyOf": [listForm.schema, rangeForm.schema.adding(["minProperties": 1])]]
    ) { reader in
      if case .object = reader.value.kind { return rangeForm.read(reader) }
      let versions = listForm.read(reader)?.filter { !$0.isEmpty } ?? []
      return versions.isEmpty ? nil : .named(versions)
    }.named("appVersions", "The versions of the app with which a step runs.")
    form.nestedFields = [fromField, beforeField]
    return form
  }
}

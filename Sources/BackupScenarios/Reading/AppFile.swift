/// The file of a scenario folder that gives the classes of the app's files in all its scenarios.
package enum AppFile {
  package static let name = "app.json5"

  static let filesField = Field(
    "files", .promises, default: .required,
    "Patterns of paths, each with a class, for all scenarios in this folder and in folders below it. "
      + "The patterns of a scenario come first.",
    examples: [["Documents/**": "critical", "Library/Caches/**": "cached"]])

  /// All its fields.
  package static let fields: [any DeclaredField] = [filesField, Scenario.schemaField]

  /// The paths at which the app file of a scenario may be, the nearest first: from the scenario's
  /// own folder up to the scenario folder, or to a folder `Scenarios` that this one is in. For a relative
  /// path, that folder may be the working directory or above it.
  package static func paths(
    above file: String, id: String, from workingDirectory: @autoclosure () -> String
  ) -> [String] {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let folders = Array(parts.dropLast())
    let scenarioFolder = min(
      folders.count, max(0, parts.count - id.split(separator: "/").count))
    func places(_ parts: [Substring], downTo top: Int) -> [String] {
      (top...max(top, parts.count)).reversed().map { count in
        (parts[..<count] + [Substring(name)]).joined(separator: "/")
      }
    }
    let top = parts[..<scenarioFolder].lastIndex { $0 == Scenario.usualFolder }
    let near = places(folders, downTo: top.map { $0 + 1 } ?? scenarioFolder)
    guard top == nil, !file.hasPrefix("/") else { return near }
    let above = absolute(parts[..<scenarioFolder], in: workingDirectory())
    guard let farTop = above.dropLast().lastIndex(where: { $0 == Scenario.usualFolder }) else {
      return near
    }
    return near + places(above.dropLast(), downTo: farTop + 1)
  }

  /// The names in the absolute path of a folder, without `.` and `..`.
  private static func absolute(
    _ folder: ArraySlice<Substring>, in workingDirectory: String
  ) -> [Substring] {
    var names: [Substring] = [""]
    for name in workingDirectory.split(separator: "/") + folder where !["", "."].contains(name) {
      if name != ".." { names.append(name) } else if names.count > 1 { names.removeLast() }
    }
    return names
  }

  /// Whether a file has the name, or one that a file system or a person may take for it, so that it is
  /// no scenario.
  package static func isReserved(_ file: String) -> Bool {
    let name = file.split(separator: "/").last?.lowercased() ?? ""
    return ["app.json5", "app.jsonc", "app.json"].contains(name)
  }
}

extension Scenario {
  /// The name that a scenario folder usually has, which is looked for where none is named.
  package static let usualFolder = "Scenarios"
}

/// The file of a scenario folder that gives the classes of the app's files in all its scenarios.
package enum AppFile {
  package static let name = "app.json5"

  static let filesField = Field(
    "files", .promises, default: .required,
    "Patterns of paths, each with a class, for all scenarios in this folder and in folders below it. "
      + "The patterns of a scenario come first.",
    examples: [["Documents/**": "critical", "Library/Caches/**": "cached"]])

  package static let fields: [any DeclaredField] = [filesField, Scenario.schemaField]

  /// Returns the paths at which the app file of a scenario may be, the nearest first: from the scenario's
  /// own folder up to the scenario folder, or up to a folder `Scenarios` that contains it. For a relative
  /// path, this may be the working directory or a folder above it.
  package static func paths(
    above file: String, id: String, from workingDirectory: @autoclosure () -> String
  ) -> [String] {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let folders = Array(parts.dropLast())
    let scenarioFolder = min(
      folders.count, max(0, parts.count - id.split(separator: "/").count))
    func paths(from parts: [Substring], upTo top: Int) -> [String] {
      (top...max(top, parts.count)).reversed().map { count in
        (parts[..<count] + [Substring(name)]).joined(separator: "/")
      }
    }
    let top = parts[..<scenarioFolder].lastIndex { $0 == Scenario.usualFolder }
    let near = paths(from: folders, upTo: top.map { $0 + 1 } ?? scenarioFolder)
    guard top == nil, !file.hasPrefix("/") else { return near }
    let above = absolute(parts[..<scenarioFolder], in: workingDirectory())
    guard let farTop = above.dropLast().lastIndex(where: { $0 == Scenario.usualFolder }) else {
      return near
    }
    return near + paths(from: above.dropLast(), upTo: farTop + 1)
  }

  /// Returns the names in the absolute path of a folder, without `.` and `..`.
  private static func absolute(
    _ folder: ArraySlice<Substring>, in workingDirectory: String
  ) -> [Substring] {
    var names: [Substring] = [""]
    for name in workingDirectory.split(separator: "/") + folder where !["", "."].contains(name) {
      if name != ".." { names.append(name) } else if names.count > 1 { names.removeLast() }
    }
    return names
  }

  /// Returns true for a file with this name, or with a name that a person or a file system may take for it. Such a
  /// file is no scenario.
  package static func isReserved(_ file: String) -> Bool {
    let name = file.split(separator: "/").last?.lowercased() ?? ""
    return ["app.json5", "app.jsonc", "app.json"].contains(name)
  }
}

extension Scenario {
  /// The usual name of a scenario folder, which the kit looks for if no folder is named.
  package static let usualFolder = "Scenarios"
}

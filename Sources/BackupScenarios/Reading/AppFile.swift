/// The file `app.json5` in a scenario folder. It gives the app's files their classes, in all
/// scenarios of the folder.
package enum AppFile {
  package static let name = "app.json5"

  static let filesField = Field(
    "files", .promises, default: .required,
    "Patterns of paths, each with a class, for all scenarios in this folder and in folders below it. "
      + "The patterns of a scenario come first.",
    examples: [["Documents/**": "critical", "Library/Caches/**": "cached"]])

  package static let fields: [any DeclaredField] = [filesField, Scenario.schemaField]

  /// Returns the paths where the app file of a scenario may be, the nearest first.
  ///
  /// The search begins in the folder of `file`, and ends at the scenario folder. If a folder named
  /// `Scenarios` contains the scenario folder, the search ends at `Scenarios` instead. If `file` is
  /// relative, `Scenarios` may be the working directory or a folder above it.
  package static func paths(
    above file: String, id: String, from workingDirectory: @autoclosure () -> String
  ) -> [String] {
    let components = file.split(separator: "/", omittingEmptySubsequences: false)
    let folders = Array(components.dropLast())
    let scenarioFolderDepth = min(
      folders.count, max(0, components.count - id.split(separator: "/").count))
    func appFiles(from folders: [Substring], upToDepth topDepth: Int) -> [String] {
      (topDepth...max(topDepth, folders.count)).reversed().map { depth in
        (folders[..<depth] + [Substring(name)]).joined(separator: "/")
      }
    }
    let topIndex = components[..<scenarioFolderDepth].lastIndex { $0 == Scenario.usualFolder }
    let nearFiles = appFiles(
      from: folders, upToDepth: topIndex.map { $0 + 1 } ?? scenarioFolderDepth)
    guard topIndex == nil, !file.hasPrefix("/") else { return nearFiles }
    let absoluteFolders = absoluteComponents(
      of: components[..<scenarioFolderDepth], in: workingDirectory())
    let foldersAbove = Array(absoluteFolders.dropLast())
    guard let farTopIndex = foldersAbove.lastIndex(where: { $0 == Scenario.usualFolder }) else {
      return nearFiles
    }
    return nearFiles + appFiles(from: foldersAbove, upToDepth: farTopIndex + 1)
  }

  /// Returns the components of a folder's absolute path, with `.` and `..` resolved.
  private static func absoluteComponents(
    of folder: ArraySlice<Substring>, in workingDirectory: String
  ) -> [Substring] {
    var components: [Substring] = [""]
    for component in workingDirectory.split(separator: "/") + folder
    where !["", "."].contains(component) {
      if component != ".." {
        components.append(component)
      } else if components.count > 1 {
        components.removeLast()
      }
    }
    return components
  }

  /// Returns true for `app.json5`, and for similar names that a person or a file system may confuse
  /// with it, such as `App.json5` or `app.json`. These files are not scenarios.
  package static func isReserved(_ file: String) -> Bool {
    let fileName = file.split(separator: "/").last?.lowercased() ?? ""
    return ["app.json5", "app.jsonc", "app.json"].contains(fileName)
  }
}

extension Scenario {
  /// The usual name of a scenario folder. The kit looks for it if the user names no folder.
  package static let usualFolder = "Scenarios"
}

import Foundation

extension ScenarioFolder {
  /// Whether a folder is known to be a whole one: by its name, or by the golden files beside it.
  ///
  /// - Parameter path: The folder's path, absolute or relative to the working directory.
  /// - Returns: False for the root and for a path that ends in a slash too.
  package static func isWhole(_ path: String) -> Bool {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard !name.isEmpty else { return false }
    if name == usualName { return true }
    let goldens = GoldenStore(besideScenarios: path)
    return FileManager.default.fileExists(atPath: goldens.folder)
  }
}

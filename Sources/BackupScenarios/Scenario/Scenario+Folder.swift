extension Scenario {
  /// The scenario folder: the file's path without the id; empty for the working directory.
  package var folder: String {
    let depth = id.split(separator: "/").count
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(depth).joined(separator: "/")
  }
}

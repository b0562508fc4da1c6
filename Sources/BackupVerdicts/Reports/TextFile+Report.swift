package import BackupScenarios

extension TextFile {
  /// The file of a report, which must be no scenario file and no golden file.
  ///
  /// - Parameters:
  ///   - path: A path on disk, absolute or relative to the working directory.
  ///   - sources: Files and folders that scenarios are read from.
  /// - Throws: ``RunError`` where the file is, or would be taken for, one of these.
  package init(reportAt path: String, sources: [String] = []) throws(RunError) {
    self.init(path: path)
    if place.hasSuffix(GoldenStore.suffix) {
      throw RunError(
        .unwritable, "\(path): a golden file has such a name; write the report elsewhere")
    }
    if isScenario(among: sources) {
      throw RunError(
        .unwritable,
        "\(path): this is, or would be taken for, a scenario file; write the report elsewhere")
    }
  }

  /// Whether the file is a scenario's, or would be taken for one where it is written: by its
  /// extension, or for JSON by where it is.
  private func isScenario(among sources: [String]) -> Bool {
    guard let suffix = ScenarioFolder.suffix(of: place) else { return false }
    guard suffix == ".json" else { return true }
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    let folders = parts.indices.dropLast().map { parts[...$0].joined(separator: "/") }
    return folders.contains(where: ScenarioFolder.isWhole)
      || sources.contains { source in
        let source = TextFile(path: source).place.lowercased()
        return place.lowercased() == source || place.lowercased().hasPrefix("\(source)/")
      }
  }
}

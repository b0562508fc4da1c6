package import BackupDiagnostics
import Foundation

extension TextFile {
  /// Creates a value for the path of a report.
  ///
  /// Throws an error if the path is that of a scenario, a golden file or a source file, or leads to
  /// a JSON file that is no report.
  package init(reportAt path: String, scenarioPaths: [String] = []) throws(RunError) {
    self.init(path: path)
    try requireNoEscapingLink()
    let kindsBySuffix = [GoldenStore.suffix: "a golden file", ".swift": "a source file"]
    if let kind = kindsBySuffix.first(where: { resolvedPath.hasSuffix($0.key) })?.value {
      throw RunError(
        .unwritable, "\(path): this is the name of \(kind); write the report to another path")
    }
    if isReadAsScenario(among: scenarioPaths) {
      throw RunError(
        .unwritable,
        "\(path): this is a scenario file, or would be read as one; write the report to another "
          + "path")
    }
    if try isNonReportJSON {
      throw RunError(
        .unwritable,
        "\(path): this file exists and is not a report; write the report to another path")
    }
  }

  /// True if the path leads to a JSON file that is no report.
  private var isNonReportJSON: Bool {
    get throws(RunError) {
      guard resolvedPath.lowercased().hasSuffix(".json"), isRegularFile else { return false }
      let data: Data
      do {
        data = try Data(contentsOf: url)
      } catch {
        throw RunError(
          .unwritable,
          "\(path): this file exists and cannot be read, so it may not be a report: "
            + "\(error.reason); write the report to another path")
      }
      guard !data.isEmpty else { return false }
      // Contents that are no JSON give nil, and therefore count as no report.
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      return object?["format"] == nil
        || ["scenarios", "container", "places"].allSatisfy { object?[$0] == nil }
    }
  }

  /// Returns true if the kit would read the file as a scenario.
  ///
  /// The kit reads a file with the suffix `.json` only in a scenario folder or in `scenarioPaths`.
  private func isReadAsScenario(among scenarioPaths: [String]) -> Bool {
    guard let suffix = ScenarioFolder.suffix(of: resolvedPath) else { return false }
    guard suffix == ".json" else { return true }
    let parts = resolvedPath.split(separator: "/", omittingEmptySubsequences: false)
    let folders = parts.indices.dropLast().map { parts[...$0].joined(separator: "/") }
    return folders.contains(where: ScenarioFolder.isScenarioFolder)
      || scenarioPaths.contains { path in
        let path = TextFile(path: path).resolvedPath.lowercased()
        return resolvedPath.lowercased() == path || resolvedPath.lowercased().hasPrefix("\(path)/")
      }
  }
}

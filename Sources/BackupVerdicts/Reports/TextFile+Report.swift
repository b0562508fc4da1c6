package import BackupDiagnostics
import Foundation

extension TextFile {
  /// Creates the file of a report, which must be no scenario file, no golden file and no source file.
  package init(reportAt path: String, sources: [String] = []) throws(RunError) {
    self.init(path: path)
    try requireNoEscape()
    let names = [GoldenStore.suffix: "a golden file", ".swift": "a source file"]
    if let owner = names.first(where: { place.hasSuffix($0.key) })?.value {
      throw RunError(
        .unwritable, "\(path): this is the name of \(owner); write the report to another path")
    }
    if isScenario(among: sources) {
      throw RunError(
        .unwritable,
        "\(path): this is a scenario file, or would be read as one; write the report to another "
          + "path")
    }
    if try isOtherJSON {
      throw RunError(
        .unwritable,
        "\(path): this file exists and is not a report; write the report to another path")
    }
  }

  /// True if a file in JSON is there that is no report.
  private var isOtherJSON: Bool {
    get throws(RunError) {
      guard place.lowercased().hasSuffix(".json"), isThere else { return false }
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
      // A file that is not JSON is no report.
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      return object?["format"] == nil
        || ["scenarios", "container", "places"].allSatisfy { object?[$0] == nil }
    }
  }

  /// Returns true if the kit would read the file as a scenario, by its extension, or for JSON by its folder.
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

import BackupTesting
import Foundation

/// A folder with scenario files for one test, removed with the last reference.
final class ScenarioSandbox: Sendable {
  /// The folder; its scenarios are in `Scenarios`.
  let url: URL

  /// Writes scenario files, by their paths below `Scenarios`.
  init(_ files: [String: String]) throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("scenarios-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: url.appendingPathComponent("Scenarios"), withIntermediateDirectories: true)
    for (name, text) in files {
      let file = url.appendingPathComponent("Scenarios/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The scenario folder's path.
  var scenarios: String { url.path + "/Scenarios" }

  /// The folder for golden files.
  var goldens: String { url.path + "/Golden" }

  /// The path of a test's file in the folder.
  var testFile: String { url.path + "/Tests.swift" }
}

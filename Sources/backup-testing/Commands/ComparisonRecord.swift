import BackupContainer
import BackupFolders
import BackupScenarios
import BackupVerdicts
import Foundation

/// What `compare-backup --record` writes: a record of the comparison, and beside it the golden file of
/// what was backed up.
struct ComparisonRecord {
  private let record: TextFile
  private let golden: TextFile
  /// The id of the golden file's scenario.
  private let id: String

  /// The files, where nothing is and which nothing is read from; the golden file has `.golden` in
  /// place of `.json`.
  init(at path: String, outside folders: [String]) throws(CommandError) {
    let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    let golden = "\(stem).golden"
    for path in [path, golden] where FileKind(at: path, followingLinks: false) != nil {
      throw CommandError("\(path): the file already exists; name a new file for the record")
    }
    self.record = try CommandError.rethrowing { () throws(RunError) in
      let file = try TextFile(reportAt: path)
      for folder in folders { try file.requireOutside(of: folder, []) }
      return file
    }
    self.golden = TextFile(path: golden)
    self.id = URL(fileURLWithPath: stem).lastPathComponent
  }

  /// Writes what a comparison has shown, where that is evidence of anything.
  func write(
    _ comparison: BackupComparison, of folder: BackupFolder, app: String
  ) throws(CommandError) {
    if let reason = comparison.whyNoEvidence {
      throw CommandError("--record: nothing was recorded: \(reason)")
    }
    let record = FidelityRecord(comparison, of: folder, kit: Tool.version)
    do {
      let golden = try Scenario.golden(
        id: id, app: app, containers: comparison.domains.compactMap(\.container),
        comparison.observed, of: comparison.tree, on: comparison.profile)
      let text = try OutputFormat<FidelityRecord>.json { $0 }.write(record)
      // A signal waits until both are there, or neither.
      UnfinishedWork.shared.begin()
      defer { UnfinishedWork.shared.end() }
      try self.record.writeNew(text)
      do {
        try self.golden.writeNew(golden)
      } catch {
        // Neither is there without the other.
        self.record.remove()
        throw error
      }
    } catch {
      throw CommandError("\(error)")
    }
  }
}

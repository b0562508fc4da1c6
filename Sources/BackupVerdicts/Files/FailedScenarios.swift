import BackupContainer
package import BackupDiagnostics
package import Foundation

/// The scenario files that failed in their last run. A list in a file keeps them for the next
/// process.
package struct FailedScenarios: Sendable {
  /// The file with the list, a JSON array of paths.
  private let file: TextFile
  /// The paths that failed in their last run (nil until the list is read), and the paths that
  /// failed in this process.
  ///
  /// A path that failed in this process stays listed if another test of the same file passes.
  private let failures = Locked<(listed: Set<String>?, ofThisProcess: Set<String>)>((nil, []))

  /// True if the kit has warned that it cannot read or write the list.
  private let hasWarned = Locked(false)

  /// The size in bytes of the largest list that the kit reads.
  private static let maximumFileSize = 100_000_000

  package init(in folder: URL) {
    self.file = TextFile(path: folder.appendingPathComponent("backup-testing-failed.json").path)
  }

  package var listPath: String { file.path }

  /// Returns the paths of the scenario files that failed; empty if there is no list yet.
  ///
  /// - Throws: `RunError` with the code `.unreadable` if the list cannot be read.
  package func paths() throws(RunError) -> Set<String> {
    try failures.withLock { failures throws(RunError) in
      if let paths = failures.listed { return paths }
      let paths = try read()
      failures.listed = paths
      return paths
    }
  }

  /// Records whether the scenario file at a path failed.
  ///
  /// Warns once if the list cannot be read or written. Replaces a list that cannot be read.
  package func record(_ path: String, hasFailed: Bool) {
    failures.withLock { failures in
      if hasFailed { failures.ofThisProcess.insert(path) }
      let belongsInList = failures.ofThisProcess.contains(path)
      do {
        if failures.listed == nil { failures.listed = try read() }
      } catch {
        failures.listed = []
        warn(of: error)
      }
      guard var paths = failures.listed, paths.contains(path) != belongsInList else { return }
      paths.formSymmetricDifference([path])
      failures.listed = paths
      do {
        try write(paths)
      } catch {
        warn(of: error)
      }
    }
  }

  private func warn(of error: any Error) {
    guard !hasWarned.exchange(for: true) else { return }
    FileHandle.note(
      "warning: \(ScenarioFolder.filterVariable)=failed will not work after this run: \(error)\n"
    )
  }

  private func write(_ paths: Set<String>) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    try file.write(String(decoding: try encoder.encode(paths.sorted()), as: UTF8.self))
  }

  /// Returns the paths in the list, without files that no longer exist.
  private func read() throws(RunError) -> Set<String> {
    do {
      let bytes = try RegularFile.bytes(
        at: file.path, upTo: Self.maximumFileSize, followingLinks: true)
      let paths = try JSONDecoder().decode([String].self, from: Data(bytes))
      return Set(paths.filter(FileManager.default.fileExists))
    } catch let error as RegularFile.AccessError where error.isMissing {
      return []
    } catch {
      let reason = (error as? RegularFile.AccessError)?.reason ?? "it is damaged"
      throw RunError(
        .unreadable,
        "\(file.path): the list of the scenarios that failed cannot be read: \(reason); run all "
          + "scenarios")
    }
  }
}

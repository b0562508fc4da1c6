import BackupContainer
package import BackupDiagnostics
package import Foundation

/// The scenario files that failed in their last run, kept in a file from one process to the next.
package struct FailedScenarios: Sendable {
  /// The file, a list of paths in JSON.
  private let file: TextFile
  /// The paths that failed in their last run, nil until the file is read; and those that failed in
  /// this process, so that the success of another test does not remove them.
  private let failures = Locked<(all: Set<String>?, ofThisProcess: Set<String>)>((nil, []))

  /// True if the kit has warned that the list cannot be kept.
  private let hasWarned = Locked(false)

  private static let largestFile = 100_000_000

  package init(in folder: URL) {
    self.file = TextFile(path: folder.appendingPathComponent("backup-testing-failed.json").path)
  }

  package var place: String { file.path }

  /// Returns the paths of the files; none if no run has left any.
  ///
  /// - Throws: `RunError` with the code `.unreadable` if the list of the last run cannot be read.
  package func paths() throws(RunError) -> Set<String> {
    try failures.withLock { failures throws(RunError) in
      if let paths = failures.all { return paths }
      let paths = try read()
      failures.all = paths
      return paths
    }
  }

  /// Records a run of the scenario of a file.
  ///
  /// Warns once if the list cannot be kept, or if the last run's list cannot be read. A list that
  /// cannot be read is replaced.
  package func note(_ path: String, hasFailed: Bool) {
    failures.withLock { failures in
      if hasFailed { failures.ofThisProcess.insert(path) }
      let isListed = failures.ofThisProcess.contains(path)
      do {
        if failures.all == nil { failures.all = try read() }
      } catch {
        failures.all = []
        warn(of: error)
      }
      guard var paths = failures.all, paths.contains(path) != isListed else { return }
      paths.formSymmetricDifference([path])
      failures.all = paths
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

  /// Returns the paths that the last process left, without files that no longer exist.
  private func read() throws(RunError) -> Set<String> {
    do {
      let bytes = try RegularFile.bytes(
        at: file.path, upTo: Self.largestFile, followingLinks: true)
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

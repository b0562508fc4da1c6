import BackupContainer
import BackupVerdicts
import Foundation

/// The scenario files that failed when they last ran, kept in a file from one process to the next.
struct FailedScenarios: Sendable {
  /// The file, a list of paths in JSON.
  private let file: TextFile
  /// All that failed when they last ran, nil until the file is read; and those that failed in this
  /// process, so that no other test's success takes them back.
  private let known = Locked<(paths: Set<String>?, here: Set<String>)>((nil, []))

  init(in folder: URL) {
    self.file = TextFile(path: folder.appendingPathComponent("backup-testing-failed.json").path)
  }

  var place: String { file.path }

  /// Their paths; none if no run has left any.
  var paths: Set<String> {
    known.withLock { known in
      let paths = known.paths ?? read()
      known.paths = paths
      return paths
    }
  }

  /// Notes how a file's scenario ended.
  ///
  /// What cannot be kept is lost without a word: this run has said it already.
  func note(_ path: String, hasFailed: Bool) {
    known.withLock { known in
      if hasFailed { known.here.insert(path) }
      let isFailed = known.here.contains(path)
      var paths = known.paths ?? read()
      known.paths = paths
      guard paths.contains(path) != isFailed else { return }
      paths.formSymmetricDifference([path])
      known.paths = paths
      try? write(paths)
    }
  }

  private func write(_ paths: Set<String>) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    try file.write(String(decoding: try encoder.encode(paths.sorted()), as: UTF8.self))
  }

  /// The paths that the last process left, of files that are still there.
  private func read() -> Set<String> {
    let data = FileManager.default.contents(atPath: file.path) ?? Data()
    let paths = (try? JSONDecoder().decode([String].self, from: data)) ?? []
    return Set(paths.filter(FileManager.default.fileExists))
  }
}

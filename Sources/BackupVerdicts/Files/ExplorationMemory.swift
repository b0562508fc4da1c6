import BackupContainer
package import BackupScenarios
package import Foundation

/// The scenarios whose last exploration found nothing, kept in a file from one process to the next.
///
/// It decides only what is explored first, and leaves nothing out. So a file that is damaged or that
/// cannot be written is no error.
package final class ExplorationMemory: Sendable {
  /// The file: an object in JSON of the scenario files' paths and what was explored there.
  private let file: TextFile?
  private let known = Locked<[String: String]?>(nil)

  private static let largestFile = 10_000_000

  /// The memory of tests or of the tool, in a folder that builds write to; nil for none.
  ///
  /// They know the outcome of a scenario in different words, so each has a file of its own.
  package init(in folder: URL?, of owner: String = "tests") {
    self.file = folder.map {
      TextFile(path: $0.appendingPathComponent("backup-testing-explored-by-\(owner).json").path)
    }
  }

  /// Whether the scenario is as it was when its exploration found nothing; `outcome` is what its run came to,
  /// without injected events.
  package func isUnchanged(_ scenario: Scenario, outcome: String) -> Bool {
    known.withLock { known in
      read(&known)[Self.path(of: scenario)] == Self.sum(of: scenario, outcome)
    }
  }

  /// Notes that a scenario was explored, and whether nothing was found.
  package func note(_ scenario: Scenario, outcome: String, hasPassed: Bool) {
    known.withLock { known in
      let (path, sum) = (Self.path(of: scenario), Self.sum(of: scenario, outcome))
      var sums = read(&known)
      guard sums[path] != (hasPassed ? sum : nil) else { return }
      sums[path] = hasPassed ? sum : nil
      known = sums
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let file, let text = try? encoder.encode(sums) else { return }
      // What a link leads to is another's file, and a pipe may have no reader.
      guard [.file, nil].contains(FileKind(at: file.path, followingLinks: false)) else { return }
      try? file.write(String(decoding: text, as: UTF8.self))
    }
  }

  /// Returns what the last process left, without files that no longer exist.
  private func read(_ known: inout [String: String]?) -> [String: String] {
    if let known { return known }
    let bytes = file.flatMap {
      try? RegularFile.bytes(at: $0.path, upTo: Self.largestFile, followingLinks: false)
    }
    let sums = try? JSONDecoder().decode([String: String].self, from: Data(bytes ?? []))
    let found = (sums ?? [:]).filter { FileManager.default.fileExists(atPath: $0.key) }
    known = found
    return found
  }

  private static func path(of scenario: Scenario) -> String {
    URL(fileURLWithPath: scenario.file).standardizedFileURL.path
  }

  /// A digest of the scenario, the shared classes and the outcome of its run.
  private static func sum(of scenario: Scenario, _ outcome: String) -> String {
    let text = [scenario.text, outcome].joined(separator: "\n")
    return String(text.stableHash, radix: 16)
  }
}

extension ScenarioResult {
  /// What the runs came to: the golden text, and how the app changed its files, which the golden
  /// text does not have.
  package var explorationOutcome: String {
    let changes = runs.compactMap(\.transcript).flatMap(\.entries).flatMap { entry in
      if case .changes(let changes) = entry.event { changes } else { [] }
    }
    return actualGolden
      + changes.map { NameForm.withoutRandomParts("\($0)") }.joined(separator: "\n")
  }
}

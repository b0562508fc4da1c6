import BackupContainer
package import BackupScenarios
package import Foundation

/// The scenarios whose last exploration found nothing, kept in a file from one process to the next.
///
/// The memory decides only what is explored first, and leaves nothing out. Therefore, it is no error if the
/// file is damaged or cannot be written.
package final class ExplorationMemory: Sendable {
  /// The file: an object in JSON with the digest of each scenario, by the path of its file.
  private let file: TextFile?
  /// The contents of the file; nil until it is read.
  private let digests = Locked<[String: String]?>(nil)

  private static let largestFile = 10_000_000

  /// Creates the memory of tests or of the tool in a folder that builds write to; nil for no file.
  ///
  /// Tests and the tool describe outcomes in different words, so each has its own file.
  package init(in folder: URL?, of owner: String = "tests") {
    self.file = folder.map {
      TextFile(path: $0.appendingPathComponent("backup-testing-explored-by-\(owner).json").path)
    }
  }

  /// Returns true if the last exploration of a scenario found nothing, and nothing has changed since then.
  ///
  /// `outcome` is the outcome of the scenario's runs without injected events.
  package func isUnchanged(_ scenario: Scenario, outcome: String) -> Bool {
    digests.withLock { digests in
      readOnce(&digests)[Self.path(of: scenario)] == Self.digest(of: scenario, outcome)
    }
  }

  /// Records an exploration of a scenario, which has passed if it found nothing.
  package func note(_ scenario: Scenario, outcome: String, hasPassed: Bool) {
    digests.withLock { digests in
      let path = Self.path(of: scenario)
      let digest = hasPassed ? Self.digest(of: scenario, outcome) : nil
      var newDigests = readOnce(&digests)
      guard newDigests[path] != digest else { return }
      newDigests[path] = digest
      digests = newDigests
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let file, let text = try? encoder.encode(newDigests) else { return }
      // The target of a link is another's file, and a pipe may have no reader.
      guard [.file, nil].contains(FileKind(at: file.path, followingLinks: false)) else { return }
      try? file.write(String(decoding: text, as: UTF8.self))
    }
  }

  /// Returns the digests; at first, those that the last process left for files that still exist.
  private func readOnce(_ digests: inout [String: String]?) -> [String: String] {
    if let digests { return digests }
    let bytes = file.flatMap {
      try? RegularFile.bytes(at: $0.path, upTo: Self.largestFile, followingLinks: false)
    }
    let stored = try? JSONDecoder().decode([String: String].self, from: Data(bytes ?? []))
    let current = (stored ?? [:]).filter { FileManager.default.fileExists(atPath: $0.key) }
    digests = current
    return current
  }

  private static func path(of scenario: Scenario) -> String {
    URL(fileURLWithPath: scenario.file).standardizedFileURL.path
  }

  /// Returns a digest of the scenario, the shared classes and the outcome of its runs.
  private static func digest(of scenario: Scenario, _ outcome: String) -> String {
    let text = [scenario.text, outcome].joined(separator: "\n")
    return String(text.stableHash, radix: 16)
  }
}

extension ScenarioResult {
  /// The outcome of the runs: the golden text and the app's changes to files, which the golden text does not have.
  package var explorationOutcome: String {
    let changes = runs.compactMap(\.transcript).flatMap(\.entries).flatMap { entry in
      if case .changes(let changes) = entry.event { changes } else { [] }
    }
    return actualGolden
      + changes.map { NameForm.withoutRandomParts("\($0)") }.joined(separator: "\n")
  }
}

import BackupContainer
package import BackupScenarios
package import Foundation

/// The scenarios whose last exploration found no problem. A file keeps them for the next process.
///
/// The memory changes only the order of explorations. Therefore, it is no error if the file is
/// damaged or cannot be written.
package final class ExplorationMemory: Sendable {
  /// The file, a JSON object with the digest of each scenario. Its keys are the paths of the
  /// scenario files.
  private let file: TextFile?
  /// The contents of the file; nil until it is read.
  private let digests = Locked<[String: String]?>(nil)

  /// The size in bytes of the largest file that the memory reads.
  private static let maximumFileSize = 10_000_000

  /// Creates a memory with a file in the folder of build products, or without a file if `folder`
  /// is nil.
  ///
  /// `owner` is `tests` or `tool`. Tests and the tool describe outcomes in different words, so each
  /// has its own file.
  package init(in folder: URL?, of owner: String = "tests") {
    self.file = folder.map {
      TextFile(path: $0.appendingPathComponent("backup-testing-explored-by-\(owner).json").path)
    }
  }

  /// Returns true if the last exploration of a scenario found no problem, and the scenario and its
  /// outcome have not changed since.
  ///
  /// `outcome` is the outcome of the scenario's runs without injected events.
  package func isUnchanged(_ scenario: Scenario, outcome: String) -> Bool {
    digests.withLock { digests in
      loadIfNeeded(&digests)[Self.path(of: scenario)] == Self.digest(of: scenario, outcome)
    }
  }

  /// Records whether an exploration of a scenario passed, which means that it found no problem.
  package func record(_ scenario: Scenario, outcome: String, foundNoProblem: Bool) {
    digests.withLock { digests in
      let path = Self.path(of: scenario)
      let digest = foundNoProblem ? Self.digest(of: scenario, outcome) : nil
      var newDigests = loadIfNeeded(&digests)
      guard newDigests[path] != digest else { return }
      newDigests[path] = digest
      digests = newDigests
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let file, let text = try? encoder.encode(newDigests) else { return }
      // Write to no link, because a link may lead to somebody else's file. Write to no pipe,
      // because writing waits if no process reads from the pipe.
      guard [.file, nil].contains(FileKind(at: file.path, followingLinks: false)) else { return }
      try? file.write(String(decoding: text, as: UTF8.self))
    }
  }

  /// Returns the digests. The first call reads the file, and drops scenarios that no longer exist.
  private func loadIfNeeded(_ digests: inout [String: String]?) -> [String: String] {
    if let digests { return digests }
    let bytes = file.flatMap {
      try? RegularFile.bytes(at: $0.path, upTo: Self.maximumFileSize, followingLinks: false)
    }
    let storedDigests = try? JSONDecoder().decode([String: String].self, from: Data(bytes ?? []))
    let loadedDigests = (storedDigests ?? [:]).filter {
      FileManager.default.fileExists(atPath: $0.key)
    }
    digests = loadedDigests
    return loadedDigests
  }

  private static func path(of scenario: Scenario) -> String {
    URL(fileURLWithPath: scenario.file).standardizedFileURL.path
  }

  /// Returns a digest of the scenario, the classes from its `app.json5`, and the outcome of its
  /// runs.
  private static func digest(of scenario: Scenario, _ outcome: String) -> String {
    let text = [scenario.text, outcome].joined(separator: "\n")
    return String(text.stableHash, radix: 16)
  }
}

extension ScenarioResult {
  /// The outcome of the runs: the golden text, and the app's changes to files, which are not in the
  /// golden text.
  package var explorationOutcome: String {
    let changes = runs.compactMap(\.transcript).flatMap(\.entries).flatMap { entry in
      if case .changes(let changes) = entry.event { changes } else { [] }
    }
    return actualGolden
      + changes.map { NameForm.replacingRandomParts("\($0)") }.joined(separator: "\n")
  }
}

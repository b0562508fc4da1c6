import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// The actions that the scenarios of a process perform, by which the kit finds bindings that no
/// scenario uses.
package struct ActionUsage: Sendable {
  /// The loaded scenario folders; the actions that scenarios perform, for each folder that was
  /// read; and the sets of names that were judged. Several tests change them.
  private let known = Locked<
    (folders: Set<String>, performed: [String: Performed], judged: Set<[String]>)
  >(([], [:], []))

  private struct Performed {
    /// The actions that the scenarios of a folder perform; nil if a file cannot be read, since it
    /// may perform others.
    let names: Set<String>?
  }

  func note(folder: String) {
    known.withLock { known in _ = known.folders.insert(folder) }
  }

  /// The ids of the scenarios in the folders that were loaded so far, except folders that no longer
  /// exist.
  package var scenarioIDs: Set<String> {
    let folders = known.withLock(\.folders)
    return Set(folders.flatMap { (try? ScenarioFolder(path: $0))?.files.map(\.id) ?? [] })
  }

  /// Returns a complaint about bindings that no scenario performs in the folders that were loaded
  /// so far.
  ///
  /// - Returns: The complaint; nil if there is none, or if the function was called with the same
  ///   names before.
  func complaint(about actions: AppActions) -> String? {
    let names = actions.names
    let folders = known.withLock { known -> [String: Performed] in
      guard !names.isEmpty, known.judged.insert(names).inserted else { return [:] }
      for folder in known.folders where known.performed[folder] == nil {
        known.performed[folder] = Self.performed(in: folder)
      }
      return known.performed
    }
    guard !folders.isEmpty, !folders.values.contains(where: { $0.names == nil }) else { return nil }
    let performed = Set(folders.values.flatMap { $0.names ?? [] })
    let unused = names.filter { !performed.contains($0) }.map { "'\(EscapedText.escape($0))'" }
    guard !unused.isEmpty else { return nil }
    let count = unused.count
    return "the \(count.form("action")) \(unused.joinedInWords) "
      + "\(count.form("is", plural: "are")) bound, but no scenario in "
      + "\(folders.keys.sorted().joinedInWords) performs "
      + count.form("it", plural: "them")
  }

  private static func performed(in folder: String) -> Performed {
    guard let found = (try? ScenarioFolder(path: folder))?.read(), found.mistaken.isEmpty else {
      return Performed(names: nil)
    }
    return Performed(names: Set(found.scenarios.flatMap(\.actionNames)))
  }
}

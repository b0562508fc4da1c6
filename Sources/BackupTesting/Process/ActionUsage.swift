import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// Which actions the scenarios of a process perform, to tell a binding that none of them uses.
package struct ActionUsage: Sendable {
  /// The scenario folders that were loaded, what the scenarios perform of those that were looked
  /// into, and the sets of names that were judged; several tests change them.
  private let known = Locked<
    (folders: Set<String>, performed: [String: Performed], judged: Set<[String]>)
  >(([], [:], []))

  private struct Performed {
    /// The actions that the scenarios of a folder perform; nil if a file cannot be read, so that there may
    /// be more.
    let names: Set<String>?
  }

  func note(folder: String) {
    known.withLock { known in _ = known.folders.insert(folder) }
  }

  /// The ids of the scenarios in the folders that were loaded so far. Those of a folder that is gone
  /// now are unknown.
  package var scenarioIDs: Set<String> {
    let folders = known.withLock(\.folders)
    return Set(folders.flatMap { (try? ScenarioFolder(path: $0))?.files.map(\.id) ?? [] })
  }

  /// What there is to say of bindings that no scenario performs in the folders that were loaded so
  /// far; nil if there is nothing, and for a set of names that was asked for before.
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

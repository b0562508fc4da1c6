import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// What the scenarios of a process say together: the actions that they perform, by which the kit
/// finds bindings that no scenario uses, and what updates of their apps keep.
package struct ActionUsage: Sendable {
  /// The loaded scenario folders; what was read of them; and the sets of names that were judged.
  /// Several tests change them.
  private let known = Locked<
    (folders: Set<String>, read: [String: Contents], judged: Set<[String]>)
  >(([], [:], []))

  private struct Contents {
    /// The actions that the scenarios of a folder perform; nil if a file cannot be read, since it
    /// may perform others.
    let names: Set<String>?
    /// What the scenarios say that updates keep, by the app's bundle identifier.
    let updatesKeep: [String: Set<UpdateLoss>]
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
    let isNew = known.withLock { !names.isEmpty && $0.judged.insert(names).inserted }
    let folders = isNew ? contents : [:]
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

  /// Returns what the scenarios of an app in the loaded folders say that its updates keep.
  package func keptByUpdates(of app: String) -> Set<UpdateLoss> {
    Set(contents.values.flatMap { $0.updatesKeep[app] ?? [] })
  }

  /// What is in the folders that were loaded so far.
  private var contents: [String: Contents] {
    known.withLock { known in
      for folder in known.folders where known.read[folder] == nil {
        known.read[folder] = Self.contents(of: folder)
      }
      return known.read
    }
  }

  private static func contents(of folder: String) -> Contents {
    guard let found = (try? ScenarioFolder(path: folder))?.read(), found.mistaken.isEmpty else {
      return Contents(names: nil, updatesKeep: [:])
    }
    return Contents(
      names: Set(found.scenarios.flatMap(\.actionNames)),
      updatesKeep: found.scenarios.reduce(into: [:]) { kept, scenario in
        kept[scenario.app.bundleIdentifier, default: []]
          .formUnion(scenario.exploration.updatesKeep)
      })
  }
}

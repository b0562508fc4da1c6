import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// The actions that the scenarios of a process perform, and the losses that their `updatesKeep` rules out.
///
/// By the actions, the kit finds bindings that no scenario uses.
package struct ActionUsage: Sendable {
  /// The loaded scenario folders, their contents, and the sets of action names that were judged. Several tests change
  /// them.
  private let state = Locked<
    (folders: Set<String>, contents: [String: Contents], judged: Set<[String]>)
  >(([], [:], []))

  private struct Contents {
    /// The actions that the scenarios of a folder perform; nil if a file that cannot be read may perform others.
    let names: Set<String>?
    /// The losses that `updatesKeep` rules out, by the app's bundle identifier.
    let updatesKeep: [String: Set<UpdateLoss>]
  }

  func note(folder: String) {
    state.withLock { state in _ = state.folders.insert(folder) }
  }

  /// The ids of the scenarios in the folders that were loaded so far, except folders that no longer
  /// exist.
  package var scenarioIDs: Set<String> {
    let folders = state.withLock(\.folders)
    return Set(folders.flatMap { (try? ScenarioFolder(path: $0))?.files.map(\.id) ?? [] })
  }

  /// Returns a complaint about bindings that no scenario performs in the folders that were loaded
  /// so far.
  ///
  /// - Returns: The complaint; nil if there is none, or if the function was called with the same
  ///   names before.
  func complaint(about actions: AppActions) -> String? {
    let names = actions.names
    let isNew = state.withLock { !names.isEmpty && $0.judged.insert(names).inserted }
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

  /// Returns the losses that `updatesKeep` rules out in the loaded scenarios of an app.
  package func keptByUpdates(of app: String) -> Set<UpdateLoss> {
    Set(contents.values.flatMap { $0.updatesKeep[app] ?? [] })
  }

  /// The contents of the folders that were loaded so far.
  private var contents: [String: Contents] {
    state.withLock { state in
      for folder in state.folders where state.contents[folder] == nil {
        state.contents[folder] = Self.contents(of: folder)
      }
      return state.contents
    }
  }

  private static func contents(of folder: String) -> Contents {
    guard let files = (try? ScenarioFolder(path: folder))?.read(), files.mistaken.isEmpty else {
      return Contents(names: nil, updatesKeep: [:])
    }
    return Contents(
      names: Set(files.scenarios.flatMap(\.actionNames)),
      updatesKeep: files.scenarios.reduce(into: [:]) { kept, scenario in
        kept[scenario.app.bundleIdentifier, default: []]
          .formUnion(scenario.exploration.updatesKeep)
      })
  }
}

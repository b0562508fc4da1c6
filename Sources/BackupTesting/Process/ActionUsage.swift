import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts

/// The actions that the scenarios in the loaded folders perform, and the values of `updatesKeep` in
/// these scenarios.
///
/// The kit warns of a bound action that no scenario performs.
package struct ActionUsage: Sendable {
  /// The paths of the loaded scenario folders, their contents, and the lists of bound actions that
  /// ``complaint(about:)`` has checked. Tests that run at the same time share this state.
  private let state = Locked<
    (folders: Set<String>, contents: [String: FolderContents], checkedNames: Set<[String]>)
  >(([], [:], []))

  private struct FolderContents {
    /// The actions that the scenarios in the folder perform; nil if a scenario file has mistakes,
    /// because its actions are unknown.
    let actionNames: Set<String>?
    /// The values of `updatesKeep`, by the app's bundle identifier.
    let updatesKeep: [String: Set<UpdateLoss>]
  }

  func addLoaded(folder: String) {
    state.withLock { state in _ = state.folders.insert(folder) }
  }

  /// The ids of the scenarios in the loaded folders. Folders that no longer exist are left out.
  package var scenarioIDs: Set<String> {
    let folders = state.withLock(\.folders)
    return Set(folders.flatMap { (try? ScenarioFolder(path: $0))?.files.map(\.id) ?? [] })
  }

  /// Returns a complaint about bound actions that no scenario in the loaded folders performs.
  ///
  /// - Returns: The complaint; nil if there is none, or after an earlier call with the same
  ///   actions.
  func complaint(about actions: AppActions) -> String? {
    let names = actions.names
    let isNew = state.withLock { !names.isEmpty && $0.checkedNames.insert(names).inserted }
    let contentsByFolder = isNew ? contents : [:]
    guard !contentsByFolder.isEmpty,
      !contentsByFolder.values.contains(where: { $0.actionNames == nil })
    else {
      return nil
    }
    let performedNames = Set(contentsByFolder.values.flatMap { $0.actionNames ?? [] })
    let unusedNames = names.filter { !performedNames.contains($0) }
      .map { "'\(EscapedText.escape($0))'" }
    guard !unusedNames.isEmpty else { return nil }
    let count = unusedNames.count
    return "the \(count.wordForm("action")) \(unusedNames.joinedInWords) "
      + "\(count.wordForm("is", plural: "are")) bound, but no scenario in "
      + "\(contentsByFolder.keys.sorted().joinedInWords) performs "
      + count.wordForm("it", plural: "them")
  }

  /// Returns the values of `updatesKeep` in the loaded scenarios of an app.
  package func updatesKeep(of app: String) -> Set<UpdateLoss> {
    Set(contents.values.flatMap { $0.updatesKeep[app] ?? [] })
  }

  /// The contents of the loaded folders, by path.
  private var contents: [String: FolderContents] {
    state.withLock { state in
      for folder in state.folders where state.contents[folder] == nil {
        state.contents[folder] = Self.contents(of: folder)
      }
      return state.contents
    }
  }

  private static func contents(of folder: String) -> FolderContents {
    guard let files = (try? ScenarioFolder(path: folder))?.read(), files.mistaken.isEmpty else {
      return FolderContents(actionNames: nil, updatesKeep: [:])
    }
    return FolderContents(
      actionNames: Set(files.scenarios.flatMap(\.actionNames)),
      updatesKeep: files.scenarios.reduce(into: [:]) { valuesByApp, scenario in
        valuesByApp[scenario.app.bundleIdentifier, default: []]
          .formUnion(scenario.exploration.partsKeptByUpdates)
      })
  }
}

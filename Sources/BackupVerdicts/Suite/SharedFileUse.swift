package import BackupScenarios

/// Finds the patterns that an app's scenarios share, but that matched no file in any scenario so
/// far.
///
/// A single scenario rarely has all files of its app. Therefore, unused patterns are reported only
/// after all scenarios.
package struct SharedFileUse: Sendable {
  /// The lists of patterns by name. `unusedIndices` has the indices of the patterns that matched no
  /// file so far.
  ///
  /// `unusedIndices` is nil if a scenario that may use the list did not finish, or if a test
  /// without a scenario may use the list.
  private var lists: [String: (files: FilePromises, unusedIndices: Set<Int>?)] = [:]

  package init() {}

  package mutating func add(_ result: ScenarioResult) {
    guard let files = result.scenario.sharedPromises,
      let name = files.declarationSites.first?.listName
    else {
      return
    }
    let unusedIndices = result.unusedSharedPatternIndices
    guard let list = lists[name] else {
      lists[name] = (files, unusedIndices)
      return
    }
    lists[name]?.unusedIndices = list.unusedIndices.flatMap { earlierIndices in
      unusedIndices.map(earlierIndices.intersection)
    }
  }

  /// Records that a test without a scenario may use any pattern of a list. The patterns of the list
  /// then have no notes.
  package mutating func addPossibleUse(of files: FilePromises) {
    guard let name = files.declarationSites.first?.listName else { return }
    lists[name] = (files, nil)
  }

  /// For each unused pattern, a line that ends in LF. Read this only after all scenarios have run.
  package var notes: String {
    lists.sorted { $0.key < $1.key }.map { _, list in
      (list.unusedIndices ?? []).sorted().map { index in
        "note: \(list.files.declarationSites[index]): \(list.files.promises[index].shown) matched no file in any "
          + "scenario, so nothing was checked against it; \(list.files.promises[index].pattern.adviceIfUnmatched)\n"
      }.joined()
    }.joined()
  }
}

package import BackupScenarios

/// The patterns that all scenarios of an app share and that no scenario has used so far.
///
/// One scenario rarely has all files of its app, so unused patterns are reported after all scenarios.
package struct SharedFileUse: Sendable {
  /// The lists by their names, each with the indices of its unused patterns; nil if a scenario that may
  /// use them did not finish.
  private var lists: [String: (files: FilePromises, unused: Set<Int>?)] = [:]

  package init() {}

  package mutating func add(_ result: ScenarioResult) {
    guard let files = result.scenario.sharedFiles, let name = files.places.first?.listName else {
      return
    }
    let unused = result.idleSharedIndices
    guard let list = lists[name] else {
      lists[name] = (files, unused)
      return
    }
    lists[name]?.unused = list.unused.flatMap { before in unused.map(before.intersection) }
  }

  /// Records that a test without a scenario may use the patterns of a list.
  package mutating func addUnseenUse(of files: FilePromises) {
    guard let name = files.places.first?.listName else { return }
    lists[name] = (files, nil)
  }

  /// A line that ends in LF for each unused pattern. It is right only after all scenarios.
  package var notes: String {
    lists.sorted { $0.key < $1.key }.map { _, list in
      (list.unused ?? []).sorted().map { index in
        "note: \(list.files.places[index]): \(list.files.promises[index].shown) matched no file in any "
          + "scenario, so nothing was checked against it; \(list.files.promises[index].pattern.adviceIfUnmatched)\n"
      }.joined()
    }.joined()
  }
}

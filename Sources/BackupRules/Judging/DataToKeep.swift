import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The container at one point of a run, whose data must still exist at the end, and the steps that
/// have changed files since this point.
package struct DataToKeep: Sendable {
  fileprivate let container: FileTree
  private var tree: FileTree
  /// For each changed file, the step of the last change.
  fileprivate private(set) var steps: [ContainerPath: Scenario.StepReference] = [:]
  fileprivate private(set) var changedByStarts: Set<ContainerPath> = []

  package init(_ container: FileTree) {
    (self.container, self.tree) = (container, container)
  }

  package mutating func observe(_ entry: Transcript.Entry) {
    for path in entry.event.touchedPaths {
      for tree in [tree, entry.tree] {
        for changedPath in tree.paths(from: path) {
          steps[changedPath] = entry.step
          if entry.isOfStart { changedByStarts.insert(changedPath) }
        }
      }
    }
    tree = entry.tree
  }
}

extension RunMonitor {
  /// Returns a violation for each file whose data is lost at the end of the run because of the
  /// injected events.
  ///
  /// The method looks only for values that are in `kept` and in all containers of `undisturbed`,
  /// because an app may do less work if an item is missing. The method skips a file that keeps some
  /// of its values. It also skips a file that a start has changed, because `UserDataLostRule`
  /// judges starts.
  ///
  /// - Parameters:
  ///   - kept: The user's data after the last injected event.
  ///   - undisturbed: The containers at the ends of the runs without the injected events.
  ///   - end: The container at the end; nil for the current one.
  /// - Returns: A violation for each file.
  package func losses(
    of kept: DataToKeep, comparedWith undisturbed: [FileTree], at end: FileTree? = nil
  ) -> [Violation] {
    guard let first = undisturbed.first else { return [] }
    let end = end ?? tree
    let paths = first.filesNotShared(with: end)
    let (facts, reader) = (UserFileFacts(self), ValueReader())
    let endValues = ContainerValues(end, at: paths, facts, reader)
    var expected = UserValues(first, at: paths, facts, reader)
    guard !expected.missing(in: endValues).isEmpty else { return [] }
    for tree in undisturbed.dropFirst() {
      expected = expected.intersection(UserValues(tree, at: tree.allFiles, facts, reader))
    }
    let former = kept.container
    // Leaves out flags, because an app may set a flag if iOS has taken an item.
    let required = UserValues(former, at: former.allFiles, facts, reader).intersection(expected)
      .filter { if case .leaf(let leaf) = $0 { !leaf.isFlag } else { true } }
    let requiredByPath = required.byPath
    var report = RuleReport()
    for (path, missing) in required.missing(in: endValues).byPath.sorted(by: { $0.key < $1.key }) {
      // Other rules judge a file that the app did not change, for example one that iOS removed.
      guard let step = kept.steps[path], !kept.changedByStarts.contains(path) else { continue }
      let file = end.file(at: path).flatMap { $0.size > 0 ? $0 : nil }
      guard file == nil || missing.counts == requiredByPath[path]?.counts else { continue }
      let state =
        file.map { "has \($0.size.formattedSize), without this data" } ?? "is missing or empty"
      report.add(
        UserDataLostRule(), at: step, on: path, identity: .item,
        "at the end, no file contains the data that the user saved in '\(path)': the file "
          + "\(state); without this event, a file contains it",
        advice: .text(
          "do not use a file that iOS may remove to find the user's files; look at the user's "
            + "files themselves before the app overwrites or deletes them"),
        shown: .byComparison)
    }
    return report.violations
  }
}

extension UserFileFacts {
  fileprivate init(_ monitor: RunMonitor) {
    classes = monitor.classes
    databases = monitor.state.facts.databases
    remnants = monitor.state.facts.remnants
    profile = monitor.profile
  }
}

extension FileTree {
  fileprivate var allFiles: [ContainerPath] {
    var paths: [ContainerPath] = []
    forEachItem { path, item in
      if item.size != nil { paths.append(path) }
    }
    return paths
  }
}

extension RuleList {
  /// Returns the findings on files whose data is lost at the end of a run, but not at the end of a
  /// run without injected events. The injected events are over after the step with `number`.
  package static func losses(
    in transcript: Transcript, until number: Int, comparedWith undisturbed: Transcript
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript)
    let lastDisturbedIndex = transcript.entries.lastIndex { entry in
      if case .step(let entryNumber) = entry.step.number { entryNumber <= number } else { false }
    }
    var kept = DataToKeep(transcript.firstTree)
    for (index, entry) in transcript.entries.enumerated() {
      monitor.observe(entry)
      kept.observe(entry)
      if index == lastDisturbedIndex { kept = DataToKeep(entry.tree) }
    }
    return monitor.findings(of: monitor.losses(of: kept, comparedWith: [undisturbed.lastTree]))
  }
}

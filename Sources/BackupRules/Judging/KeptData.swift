import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// A container at one point of a run, and the files that the app has changed since.
package struct KeptData: Sendable {
  fileprivate let container: FileTree
  private var tree: FileTree
  /// The step that changed a file last.
  fileprivate private(set) var steps: [ContainerPath: Scenario.StepReference] = [:]
  fileprivate private(set) var changedByStarts: Set<ContainerPath> = []

  package init(_ container: FileTree) {
    (self.container, self.tree) = (container, container)
  }

  package mutating func observe(_ entry: Transcript.Entry) {
    for path in entry.event.touchedPaths {
      for tree in [tree, entry.tree] {
        for found in tree.paths(from: path) {
          steps[found] = entry.step
          if entry.isOfStart { changedByStarts.insert(found) }
        }
      }
    }
    tree = entry.tree
  }
}

extension RunMonitor {
  /// Returns a violation for each file whose data is lost at the end, but not without the injected events.
  ///
  /// The method looks only for values that the user had and that are at the end of each run without the events,
  /// because an app may do less if something is missing. It reports no file that keeps some of its values, and none
  /// that a start has changed: `UserDataLostRule` judges starts.
  ///
  /// - Parameters:
  ///   - kept: The user's data when the last event was over.
  ///   - undisturbed: The containers at the ends of the runs without the events.
  ///   - end: The container at the end; nil for the current one.
  /// - Returns: A violation for each file.
  package func losses(
    of kept: KeptData, comparedWith undisturbed: [FileTree], at end: FileTree? = nil
  ) -> [Violation] {
    guard let first = undisturbed.first else { return [] }
    let end = end ?? tree
    let paths = first.filesNotShared(with: end)
    let (facts, reader) = (ValueFacts(self), ValueReader())
    let held = HeldValues(end, at: paths, facts, reader)
    var expected = UserValues(first, at: paths, facts, reader)
    guard !expected.missing(in: held).isEmpty else { return [] }
    for tree in undisturbed.dropFirst() {
      expected = expected.intersection(UserValues(tree, at: tree.allFiles, facts, reader))
    }
    let former = kept.container
    // An app may record with a flag what iOS took.
    let required = UserValues(former, at: former.allFiles, facts, reader).intersection(expected)
      .filter { if case .leaf(let leaf) = $0 { !leaf.isFlag } else { true } }
    let requiredByPath = required.byPath
    var report = RuleReport()
    for (path, missing) in required.missing(in: held).byPath.sorted(by: { $0.key < $1.key }) {
      // Other rules judge files that iOS or the user has removed.
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

extension ValueFacts {
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
  /// Returns the findings on files whose data is lost at the end of a run, but not at the end of an undisturbed run.
  /// The disturbance is over after the step with `number`.
  package static func losses(
    in transcript: Transcript, until number: Int, comparedWith undisturbed: Transcript
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript)
    let end = transcript.entries.lastIndex { entry in
      if case .step(let other) = entry.step.number { other <= number } else { false }
    }
    var kept = KeptData(transcript.firstTree)
    for (index, entry) in transcript.entries.enumerated() {
      monitor.observe(entry)
      kept.observe(entry)
      if index == end { kept = KeptData(entry.tree) }
    }
    return monitor.findings(of: monitor.losses(of: kept, comparedWith: [undisturbed.lastTree]))
  }
}

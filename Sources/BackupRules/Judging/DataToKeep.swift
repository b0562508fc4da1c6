import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// The container at one point of a run, whose data must still exist at the end, and the steps that
/// have changed files since this point.
package struct DataToKeep: Sendable {
  fileprivate let treeToKeep: FileTree
  private var currentTree: FileTree
  /// For each changed file, the step of the last change.
  fileprivate private(set) var stepsByPath: [ContainerPath: Scenario.StepReference] = [:]
  fileprivate private(set) var pathsChangedByStarts: Set<ContainerPath> = []

  package init(_ tree: FileTree) {
    (self.treeToKeep, self.currentTree) = (tree, tree)
  }

  package mutating func observe(_ entry: Transcript.Entry) {
    for path in entry.event.touchedPaths {
      for tree in [currentTree, entry.tree] {
        for changedPath in tree.paths(from: path) {
          stepsByPath[changedPath] = entry.step
          if entry.isOfStart { pathsChangedByStarts.insert(changedPath) }
        }
      }
    }
    currentTree = entry.tree
  }
}

extension RunMonitor {
  /// Returns a violation for each file whose data is lost at the end of the run because of the
  /// injected events.
  ///
  /// The method looks only for values that are in `dataToKeep` and in all containers of
  /// `undisturbedTrees`, because an app may do less work if an item is missing. The method skips a
  /// file that keeps some of its values. It also skips a file that a start has changed, because
  /// `UserDataLostRule` judges starts.
  ///
  /// - Parameters:
  ///   - dataToKeep: The user's data after the last injected event.
  ///   - undisturbedTrees: The containers at the ends of the runs without the injected events.
  ///   - endTree: The container at the end; nil for the current one.
  /// - Returns: A violation for each file.
  package func losses(
    of dataToKeep: DataToKeep, comparedWith undisturbedTrees: [FileTree],
    at endTree: FileTree? = nil
  ) -> [Violation] {
    guard let firstTree = undisturbedTrees.first else { return [] }
    let endTree = endTree ?? tree
    let paths = firstTree.unsharedFilePaths(with: endTree)
    let (facts, reader) = (UserFileFacts(self), ValueReader())
    let endValues = ContainerValues(endTree, at: paths, facts, reader)
    var expectedValues = UserValues(firstTree, at: paths, facts, reader)
    guard !expectedValues.missing(in: endValues).isEmpty else { return [] }
    for tree in undisturbedTrees.dropFirst() {
      expectedValues = expectedValues.intersection(
        UserValues(tree, at: tree.allFiles, facts, reader))
    }
    let formerTree = dataToKeep.treeToKeep
    // Leaves out flags, because an app may set a flag if iOS has taken an item.
    let requiredValues = UserValues(formerTree, at: formerTree.allFiles, facts, reader)
      .intersection(expectedValues)
      .filter { if case .leaf(let leaf) = $0 { !leaf.mayBeBoolean } else { true } }
    let requiredByPath = requiredValues.byPath
    var report = RuleReport()
    for (path, missingInFile) in requiredValues.missing(in: endValues).byPath
      .sorted(by: { $0.key < $1.key })
    {
      // Other rules judge a file that the app did not change, for example one that iOS removed.
      guard let step = dataToKeep.stepsByPath[path],
        !dataToKeep.pathsChangedByStarts.contains(path)
      else { continue }
      let file = endTree.fileInformation(at: path).flatMap { $0.size > 0 ? $0 : nil }
      guard file == nil || missingInFile.counts == requiredByPath[path]?.counts else { continue }
      let fileState =
        file.map { "has \($0.size.formattedSize), without this data" } ?? "is missing or empty"
      report.add(
        UserDataLostRule(), at: step, on: path, groupedBy: .item,
        "at the end, no file contains the data that the user saved in '\(path)': the file "
          + "\(fileState); without this event, a file contains it",
        advice: .text(
          "do not use a file that iOS may remove to find the user's files; look at the user's "
            + "files themselves before the app overwrites or deletes them"),
        detectedBy: .byComparison)
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
  /// run without injected events. The injected events are over after the step with `stepNumber`.
  package static func losses(
    in transcript: Transcript, until stepNumber: Int, comparedWith undisturbedTranscript: Transcript
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript)
    let lastDisturbedIndex = transcript.entries.lastIndex { entry in
      if case .step(let entryNumber) = entry.step.number {
        entryNumber <= stepNumber
      } else {
        false
      }
    }
    var dataToKeep = DataToKeep(transcript.firstTree)
    for (index, entry) in transcript.entries.enumerated() {
      monitor.observe(entry)
      dataToKeep.observe(entry)
      if index == lastDisturbedIndex { dataToKeep = DataToKeep(entry.tree) }
    }
    return monitor.findings(
      of: monitor.losses(of: dataToKeep, comparedWith: [undisturbedTranscript.lastTree]))
  }
}

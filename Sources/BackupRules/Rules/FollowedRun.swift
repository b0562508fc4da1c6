import BackupCollections
package import BackupFileTree
package import BackupScenarios

/// A run as far as it has come, followed for the rules: what branches off it is followed from there.
package struct FollowedRun: Sendable {
  /// The moments.
  private var moments: RunMoments
  /// The user's files that are lost.
  private var losses = CriticalLosses()
  /// The user's files as they were saved.
  private var files: UserFiles
  /// What is in tmp since before the app last ended.
  private var remains = TemporaryRemains()

  /// A run that has yet to begin.
  ///
  /// - Parameter transcript: The run; of its entries none is looked at.
  package init(_ transcript: Transcript) {
    self.moments = RunMoments(transcript)
    self.files = UserFiles(in: transcript.firstTree)
  }

  /// Follows what has happened since.
  ///
  /// - Parameter transcript: The run, which begins as what was followed.
  package mutating func follow(_ transcript: Transcript) {
    let new = transcript.entries[moments.count...]
    moments.follow(transcript)
    for entry in new {
      losses.follow(entry, moments.classes)
      files.follow(entry, moments.classes)
      remains.follow(entry)
    }
  }

  /// What is wrong in the run.
  ///
  /// - Parameter transcript: The run as it was followed, which may have failed then.
  /// - Returns: The findings of all rules.
  package func findings(in transcript: Transcript) -> [Scenario.Finding] {
    RuleList.findings(in: RunHistory(transcript, moments), by: RuleList.all)
  }

  /// What the app owes now.
  ///
  /// - Parameter tree: The container as it is now.
  /// - Returns: What all rules remember of the run.
  package func owed(with tree: FileTree) -> RunHistory.Owed {
    var classes = moments.classes
    _ = classes.files(in: tree)
    return RunHistory.Owed(
      duties: moments.ledger.duties.elements.map(RunHistory.Owed.Duty.init),
      origins: moments.ledger.origins.elements.map(\.key),
      placed: moments.ledger.placed.elements.map(\.key), losses: losses.lostPaths,
      saved: files.memory, critical: classes.criticalPaths, hasAppRun: moments.hasAppRun,
      remains: remains.paths)
  }
}

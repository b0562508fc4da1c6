import BackupCollections
import BackupDevice
package import BackupFileTree
package import BackupScenarios

/// A run as far as it has come, followed for the rules: what branches off it is followed from there.
///
/// Rules look at each part of it once, as it comes. What they find then may be accounted for by what
/// is in other parts, so it is a suspicion; but where there is none, the run as a whole shows nothing
/// either.
package struct FollowedRun: Sendable {
  /// The moments.
  private var moments: RunMoments
  /// What rules remember of it.
  private var memory: RunMemory
  /// What rules have found in its parts.
  package private(set) var suspicions: [Scenario.Finding] = []
  /// Whether a rule has to see the run as a whole.
  package private(set) var needsWhole: Bool

  /// A run that has yet to begin.
  ///
  /// - Parameter transcript: The run; of its entries none is looked at.
  package init(_ transcript: Transcript) {
    self.moments = RunMoments(transcript)
    self.memory = RunMemory(transcript)
    // Since when a limit is exceeded nobody remembers.
    self.needsWhole = transcript.scenario.storage != nil
  }

  /// Follows what has happened since.
  ///
  /// - Parameter transcript: The run, which begins as what was followed.
  package mutating func follow(_ transcript: Transcript) {
    let start = memory
    guard start.entryCount < transcript.entries.count else { return }
    moments.follow(transcript)
    for entry in transcript.entries[start.entryCount...] {
      memory.follow(entry, moments.classes)
      needsWhole = needsWhole || entry.isJudgedLater
    }
    suspicions += RuleList.findings(
      in: RunHistory(transcript, moments, since: start, isAtEnd: false), by: RuleList.all)
  }

  /// What is wrong in the run.
  ///
  /// - Parameters:
  ///   - transcript: The run as it was followed.
  ///   - isAtEnd: Whether it is at its end.
  ///   - isNews: Whether somebody wants to know of a finding.
  /// - Returns: The findings of all rules that are wanted.
  package func findings(
    in transcript: Transcript, isAtEnd: Bool, where isNews: (Scenario.Finding) -> Bool
  ) -> [Scenario.Finding] {
    guard
      mayShow(isNews)
        || isAtEnd && endSuspicions(in: transcript).contains(where: isNews)
    else { return [] }
    return findings(in: transcript, since: RunMemory(transcript), isAtEnd: isAtEnd).filter(isNews)
  }

  /// What rules find at the run's end.
  ///
  /// - Parameter transcript: The run as it was followed.
  /// - Returns: What may be wrong.
  package func endSuspicions(in transcript: Transcript) -> [Scenario.Finding] {
    findings(in: transcript, since: memory, isAtEnd: true)
  }

  /// What rules find in a part of the run.
  private func findings(
    in transcript: Transcript, since start: RunMemory, isAtEnd: Bool
  ) -> [Scenario.Finding] {
    RuleList.findings(
      in: RunHistory(transcript, moments, since: start, isAtEnd: isAtEnd), by: RuleList.all)
  }
}

extension FollowedRun {
  /// What the app owes the items that there are now.
  ///
  /// - Parameter tree: The container as it is now.
  /// - Returns: The duties, and who is to blame.
  package func owedItems(in tree: FileTree) -> RunHistory.OwedItems {
    var classes = moments.classes
    _ = classes.files(in: tree)
    return RunHistory.OwedItems(
      duties: moments.ledger.duties.elements.map(RunHistory.OwedItems.Duty.init),
      origins: moments.ledger.origins.elements.map(\.key),
      placed: moments.ledger.placed.elements.map(\.key), critical: classes.criticalPaths)
  }

  /// What is remembered now of the items that there were.
  package var remembered: RunHistory.Remembered { RunHistory.Remembered(memory) }

  /// Whether the app has run since it was restored, updated or put on another system.
  package var hasAppRun: Bool { moments.hasAppRun }

  /// What is remembered once more has happened.
  ///
  /// - Parameter entries: What the system does next.
  /// - Returns: What is remembered then.
  package func remembered(after entries: [Transcript.Entry]) -> RunHistory.Remembered {
    var (memory, classes) = (memory, moments.classes)
    _ = classes.files(in: memory.tree)
    for entry in entries { memory.follow(entry, classes) }
    return RunHistory.Remembered(memory)
  }

  /// What rules find in the run and in what happens next, each in its part.
  ///
  /// - Parameters:
  ///   - entries: What the system does next.
  ///   - transcript: The run as it was followed.
  /// - Returns: What may be wrong.
  package func suspicions(
    after entries: [Transcript.Entry], in transcript: Transcript
  ) -> [Scenario.Finding] {
    var followed = self
    followed.follow(transcript.adding(entries))
    return Array(followed.suspicions.dropFirst(suspicions.count))
  }

  /// What rules may find where the run ends by some entries more.
  ///
  /// - Parameters:
  ///   - entries: What would happen.
  ///   - transcript: The run as it was followed.
  /// - Returns: What may be wrong by them, or at the end.
  package func suspicions(
    endingBy entries: [Transcript.Entry], in transcript: Transcript
  ) -> [Scenario.Finding] {
    var followed = self
    let whole = transcript.adding(entries)
    followed.follow(whole)
    return followed.suspicions.dropFirst(suspicions.count) + followed.endSuspicions(in: whole)
  }

  /// Whether something of the run so far is wanted, as far as its parts show.
  package func mayShow(_ isNews: (Scenario.Finding) -> Bool) -> Bool {
    needsWhole || suspicions.contains(where: isNews)
  }
}

extension Transcript.Entry {
  /// Whether it can be a mistake, or explain one, only together with what comes much later.
  fileprivate var isJudgedLater: Bool {
    switch event {
    case .markOnMissing, .markUnavailable, .staleLink: true
    case .changes(let changes):
      changes.contains { change in
        if case .marked(_, let mark) = change {
          !mark.isDisjoint(with: profile.deprecatedMarks.value)
        } else {
          false
        }
      }
    default: false
    }
  }
}

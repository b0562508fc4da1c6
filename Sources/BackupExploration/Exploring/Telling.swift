import BackupRules
import BackupScenarios

/// A history that is told: what happened, and what the rules know of it.
struct Telling: Sendable {
  /// The run.
  var run: StoryRun
  /// What the rules know of it as far as it was followed.
  private(set) var followed: FollowedRun
  /// What happened.
  var elements: [StoryElement] = []
  /// The part of the story that comes next.
  var part = 0
  /// Whether a backup has to show what the next part leaves, which was interrupted before.
  var owesBackup = false
  /// Whether nothing has happened beside the story.
  var isOrdinary = true

  /// A history that has yet to begin.
  init(_ run: StoryRun) {
    self.run = run
    self.followed = FollowedRun(run.transcript)
  }

  /// What is wrong so far.
  ///
  /// - Parameters:
  ///   - isAtEnd: Whether the story is at its end.
  ///   - isNews: Whether a finding is wanted.
  /// - Returns: The findings of all rules that are wanted.
  mutating func findings(
    isAtEnd: Bool, where isNews: (Scenario.Finding) -> Bool
  ) -> [Scenario.Finding] {
    follow()
    return followed.findings(in: run.transcript, isAtEnd: isAtEnd, where: isNews)
  }

  /// Has the rules look at all that has happened.
  mutating func follow() { followed.follow(run.transcript) }

  /// A copy that goes on from here whatever becomes of this history's container and app.
  ///
  /// - Throws: ``StoryEnd`` where the container cannot be kept.
  func saved() throws(StoryEnd) -> Telling {
    var copy = self
    copy.run = try run.saved()
    return copy
  }
}

/// A history that was told and goes on in several ways; copies share it.
final class KeptTelling: Sendable {
  /// What was told.
  let telling: Telling

  /// Keeps what was told.
  init(_ telling: Telling) { self.telling = telling }
}

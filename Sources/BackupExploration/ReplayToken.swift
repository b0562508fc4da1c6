import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// What the system does in one history, as a report names it: `movies/download:2.kill(5~mark)`.
package struct ReplayToken: Hashable, Sendable {
  /// What it does once.
  struct Event: Hashable, Sendable {
    /// The number of the step.
    let step: Int
    /// The word for what it does: `lowStorage`, `kill`.
    let word: String
    /// For a kill, which change of the step it comes before, and the kind that this had.
    let change: Change?

    /// A change within a step.
    struct Change: Hashable, Sendable {
      /// Its number, from 1.
      let number: Int
      /// The word for its kind.
      let kind: String
    }
  }

  /// Why a text is no token.
  package struct Mistake: Error, CustomStringConvertible {
    /// What is wrong, and what a token looks like.
    package let description: String
  }

  /// The id of the scenario.
  package let scenario: String
  /// What the system does, in order.
  let events: [Event]

  /// Reads a token.
  ///
  /// - Parameter text: What a report says behind `--replay`.
  /// - Throws: ``Mistake`` where it is none.
  package init(_ text: String) throws(Mistake) {
    guard let colon = text.lastIndex(of: ":") else { throw Mistake(text, "it has no ':'") }
    var events: [Event] = []
    for word in text[text.index(after: colon)...].split(
      separator: "+", omittingEmptySubsequences: false)
    {
      guard let event = Event(word) else {
        throw Mistake(text, "'\(String(word).shown)' is nothing that the system does at a step")
      }
      events.append(event)
    }
    guard events.count <= ExplorationBounds.mostEvents else {
      throw Mistake(
        text, "the system acts at most \(ExplorationBounds.mostEvents) times in a story")
    }
    self.scenario = String(text[..<colon])
    self.events = events
  }
}

extension ReplayToken.Mistake {
  /// What is wrong with a text.
  fileprivate init(_ text: String, _ reason: String) {
    self.description =
      "'\(text.shown)' is no token of a report: \(reason); expected such as "
      + "'movies/download:2.kill(5~mark)' or 'movies/download:3.lowStorage'"
  }
}

extension ReplayToken.Event {
  /// Reads `3.lowStorage` or `2.kill(5~mark)`; nil for what is nothing like it.
  fileprivate init?(_ text: Substring) {
    guard
      let match = text.wholeMatch(of: /([0-9]{1,6})\.([A-Za-z]+)(?:\(([0-9]{1,9})~([A-Za-z]+)\))?/),
      let step = Int(match.1)
    else { return nil }
    let change = match.3.flatMap { Int($0) }.map {
      Change(number: $0, kind: match.4.map(String.init) ?? "")
    }
    let isKill = InjectedEvent.Recovery(rawValue: String(match.2)) != nil
    guard isKill == (change != nil),
      isKill || Scenario.ExploredAct(rawValue: String(match.2)) != nil
    else { return nil }
    self.init(step: step, word: String(match.2), change: change)
  }
}

extension InjectedEvent {
  /// Whether this is what a token says, and if not, whether it is at the same point.
  ///
  /// - Parameter event: What the token says.
  /// - Returns: Whether it is that; nil where the point is the same and the change is another one.
  func isMeant(by event: ReplayToken.Event) -> Bool? {
    guard step == event.step else { return false }
    switch point {
    case .before(let found): return event.change == nil && found.rawValue == event.word
    case .within(let number, let point, then: let recovery):
      guard event.word == recovery.rawValue, number == event.change?.number else { return false }
      return point.kind.rawValue == event.change?.kind ? true : nil
    }
  }
}

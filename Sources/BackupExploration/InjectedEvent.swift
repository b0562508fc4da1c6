package import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// An event that was injected into a trace, with its point.
package struct InjectedEvent: Hashable, Sendable, CustomStringConvertible {
  package enum Point: Hashable, Sendable {
    /// iOS acts before the step.
    case before(Scenario.Disturbance)
    /// The app is killed before a change of the step, counted from 1, or that change fails.
    case within(change: Int, Scenario.KillPoint, then: Recovery)
  }

  package enum Recovery: String, CaseIterable, Hashable, Sendable {
    /// The trace performs the block again, and continues.
    case retry = "kill"
    /// The trace continues after the block, and never performs it again.
    case skip

    fileprivate var phrase: String {
      switch self {
      case .retry: ""
      case .skip: ", and never retried"
      }
    }
  }

  /// The number of the step, from 1; for the plan's end, the number after the last step's.
  package let step: Int
  package let point: Point
  /// True if the event comes after the steps of the scenario.
  package let isAtEnd: Bool

  package init(step: Int, isAtEnd: Bool = false, point: Point) {
    (self.step, self.isAtEnd, self.point) = (step, isAtEnd, point)
  }

  package var recovery: Recovery? {
    if case .within(_, _, then: let recovery) = point { recovery } else { nil }
  }

  /// The point of a kill or of full storage, without the recovery; nil for an event of iOS.
  package var crashPoint: CrashPoint? {
    guard case .within(let change, let point, _) = point else { return nil }
    return CrashPoint(step: step, change: change, isStorageFull: point.isStorageFull)
  }

  /// The event in a token: `3.lowStorage`, `2.kill(5~mark)`, `2.kill(5~storageFull)`.
  package var description: String {
    switch point {
    case .before(let event): "\(step).\(event.rawValue)"
    case .within(let change, let point, then: let recovery):
      "\(step).\(recovery.rawValue)(\(change)~"
        + "\(point.isStorageFull ? "storageFull" : point.kind.rawValue))"
    }
  }

  /// The event with its place: `killed in step 2, before it wrote 'Documents/a'`.
  package var phrase: String {
    switch point {
    case .before(let event): "\(event.phrase) \(isAtEnd ? "at the end" : "before step \(step)")"
    case .within(_, let point, then: _):
      (point.isStorageFull ? "storage full" : "killed") + " \(place), "
        + (point.isStorageFull ? "when the app" : "before it")
        + " \(point.pastTense)\(recovery?.phrase ?? "")"
    }
  }

  /// The event alone, for a scenario in which steps have other numbers.
  package var phraseWithoutPlace: String {
    switch point {
    case .before(let event): event.phrase
    case .within(_, let point, then: _):
      (point.isStorageFull ? "storage full when the app" : "killed before it")
        + " \(point.pastTense)\(recovery?.phrase ?? "")"
    }
  }

  fileprivate var place: String { isAtEnd ? "in the start at the end" : "in step \(step)" }

  /// Returns true if a word has the form of an event in a token: `3.lowStorage`, `2.kill(5~mark)`.
  fileprivate static func canBeNamed(_ word: String) -> Bool {
    let form = /[0-9]{1,6}\.([A-Za-z]+)(\([0-9]{1,9}~[A-Za-z]+\))?/
    guard let match = word.wholeMatch(of: form) else { return false }
    let name = String(match.1)
    return match.2 == nil
      ? Scenario.Disturbance(rawValue: name) != nil && name != Recovery.retry.rawValue
      : Recovery(rawValue: name) != nil
  }

  /// Returns true if a word of a token names this event; nil if only the kind of change differs.
  package func matches(_ word: String) -> Bool? {
    let own = description
    if own == word { return true }
    return own.prefix { $0 != "~" } == word.prefix { $0 != "~" } ? nil : false
  }
}

package struct CrashPoint: Hashable, Sendable {
  let step: Int
  let change: Int
  let isStorageFull: Bool
}

extension [InjectedEvent] {
  package var phrase: String { map(\.phrase).joined(separator: ", then ") }

  package var phraseWithoutPlaces: String {
    map(\.phraseWithoutPlace).joined(separator: ", then ")
  }

  /// The phrase beside a message that names the kill or the full storage, if that is the last event.
  package var phraseBesideMessage: String {
    guard let last, let recovery = last.recovery else { return phrase }
    return (dropLast().map(\.phrase) + ["\(last.place)\(recovery.phrase)"])
      .joined(separator: ", then ")
  }

  /// Returns the token by which `--replay` repeats the trace.
  package func token(in scenario: Scenario) -> String {
    "\(scenario.id):\(map(\.description).joined(separator: "+"))"
  }
}

extension ReplayToken {
  /// Reads a token from a report.
  package init(_ text: String) throws(RunError) {
    func refuse(_ reason: String) -> RunError {
      RunError(
        .unknownExploration,
        "'\(text.shown)' is not a replay token: \(reason); copy the token from a report, such as "
          + "'movies/download:2.kill(5~mark)' or 'movies/download:3.lowStorage'")
    }
    guard let colon = text.lastIndex(of: ":") else { throw refuse("it does not contain ':'") }
    let events = text[text.index(after: colon)...]
      .split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if let former = events.first(where: { $0.contains(/^[0-9]+\.(end|start)\(/) }) {
      throw refuse(
        "'\(former.shown)' takes a backup between a kill and the retry, which is not explored any "
          + "more")
    }
    if let other = events.first(where: { !InjectedEvent.canBeNamed($0) }) {
      throw refuse("'\(other.shown)' is not a system event")
    }
    guard events.count <= Scenario.ExplorationBounds.mostEvents else {
      throw refuse("it has more than \(Scenario.ExplorationBounds.mostEvents) injected events")
    }
    self.init(scenario: String(text[..<colon]), events: events)
  }
}

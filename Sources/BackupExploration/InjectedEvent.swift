package import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// An event that exploration injects into a trace, and the point at which it does so.
package struct InjectedEvent: Hashable, Sendable, CustomStringConvertible {
  package enum Point: Hashable, Sendable {
    /// iOS acts before the step.
    case before(Scenario.InjectableEvent)
    /// The app is killed before a change of the step, or the change fails because the storage is
    /// full. `change` is the number of the change, from 1.
    case within(change: Int, Scenario.InterruptionPoint, then: Recovery)
  }

  /// The way in which the trace continues after a kill or full storage. The raw value is the word
  /// in a replay token.
  package enum Recovery: String, CaseIterable, Hashable, Sendable {
    /// The trace performs the interrupted block again, and continues.
    case retry = "kill"
    /// The trace continues after the interrupted block, and never performs it again.
    case skip

    fileprivate var phrase: String {
      switch self {
      case .retry: ""
      case .skip: ", and never retried"
      }
    }
  }

  /// The number of the step, from 1. At the end of the plan, it is the number of the last step plus
  /// one.
  package let stepNumber: Int
  package let point: Point
  /// True if the event comes after the steps of the scenario.
  package let isAtEnd: Bool

  package init(stepNumber: Int, isAtEnd: Bool = false, point: Point) {
    (self.stepNumber, self.isAtEnd, self.point) = (stepNumber, isAtEnd, point)
  }

  package var recovery: Recovery? {
    if case .within(_, _, then: let recovery) = point { recovery } else { nil }
  }

  /// The point of a kill or of full storage; nil for an event of iOS.
  package var crashPoint: CrashPoint? {
    guard case .within(let change, let point, _) = point else { return nil }
    return CrashPoint(step: stepNumber, change: change, isStorageFull: point.isStorageFull)
  }

  /// The event as a replay token contains it.
  ///
  /// `3.lowStorage` means a purge before step 3. `2.kill(5~mark)` means a kill in step 2 before its
  /// change number 5, which sets a mark. `2.kill(5~storageFull)` means that the storage is full at
  /// this change. With `skip` instead of `kill`, the app never retries the step.
  package var description: String {
    switch point {
    case .before(let event): "\(stepNumber).\(event.rawValue)"
    case .within(let change, let point, then: let recovery):
      "\(stepNumber).\(recovery.rawValue)(\(change)~"
        + "\(point.isStorageFull ? "storageFull" : point.changeKind.rawValue))"
    }
  }

  /// The event in words, with its step: `killed in step 2, before it wrote 'Documents/a'`.
  package var phrase: String {
    switch point {
    case .before(let event):
      "\(event.participlePhrase) \(isAtEnd ? "at the end" : "before step \(stepNumber)")"
    case .within(_, let point, then: _):
      (point.isStorageFull ? "storage full" : "killed") + " \(stepPhrase), "
        + (point.isStorageFull ? "when the app" : "before it")
        + " \(point.pastTense)\(recovery?.phrase ?? "")"
    }
  }

  /// The event in words, without its step. A scenario file that shows a trace uses these words,
  /// because the steps in the file have other numbers.
  package var phraseWithoutStep: String {
    switch point {
    case .before(let event): event.participlePhrase
    case .within(_, let point, then: _):
      (point.isStorageFull ? "storage full when the app" : "killed before it")
        + " \(point.pastTense)\(recovery?.phrase ?? "")"
    }
  }

  fileprivate var stepPhrase: String {
    isAtEnd ? "in the start at the end" : "in step \(stepNumber)"
  }

  /// Returns true if a text has the form of an event in a replay token, such as `3.lowStorage` or
  /// `2.kill(5~mark)`.
  fileprivate static func isWellFormed(_ text: String) -> Bool {
    let pattern = /[0-9]{1,6}\.([A-Za-z]+)(\([0-9]{1,9}~[A-Za-z]+\))?/
    guard let match = text.wholeMatch(of: pattern) else { return false }
    let eventWord = String(match.1)
    return match.2 == nil
      ? Scenario.InjectableEvent(rawValue: eventWord) != nil && eventWord != Recovery.retry.rawValue
      : Recovery(rawValue: eventWord) != nil
  }

  /// Returns true if an event in a replay token is this event. Returns nil if only the kind of the
  /// change differs, as in `2.kill(5~mark)` and `2.kill(5~write)`.
  package func matches(_ tokenEvent: String) -> Bool? {
    let ownDescription = description
    if ownDescription == tokenEvent { return true }
    let isSamePoint = ownDescription.prefix { $0 != "~" } == tokenEvent.prefix { $0 != "~" }
    return isSamePoint ? nil : false
  }
}

/// The change of a step before which the app is killed, or which fails because the storage is full.
package struct CrashPoint: Hashable, Sendable {
  let step: Int
  let change: Int
  let isStorageFull: Bool
}

extension [InjectedEvent] {
  package var phrase: String { map(\.phrase).joined(separator: ", then ") }

  package var phraseWithoutSteps: String {
    map(\.phraseWithoutStep).joined(separator: ", then ")
  }

  /// The events in words, for use beside a message that already says how the last event killed the
  /// app or filled the storage. The last event is then only `in step 2`.
  package var phraseBesideMessage: String {
    guard let last, let recovery = last.recovery else { return phrase }
    return (dropLast().map(\.phrase) + ["\(last.stepPhrase)\(recovery.phrase)"])
      .joined(separator: ", then ")
  }

  /// Returns the replay token, with which `--replay` repeats the trace.
  package func token(in scenario: Scenario) -> String {
    "\(scenario.id):\(map(\.description).joined(separator: "+"))"
  }
}

extension ReplayToken {
  /// Reads a replay token, such as `movies/download:2.kill(5~mark)`.
  package init(_ text: String) throws(RunError) {
    func refusal(_ reason: String) -> RunError {
      RunError(
        .unknownExploration,
        "'\(text.escapedExcerpt)' is not a replay token: \(reason); copy the token from a report, such as "
          + "'movies/download:2.kill(5~mark)' or 'movies/download:3.lowStorage'")
    }
    guard let colonIndex = text.lastIndex(of: ":") else { throw refusal("it does not contain ':'") }
    let events = text[text.index(after: colonIndex)...]
      .split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if let legacyEvent = events.first(where: { $0.contains(/^[0-9]+\.(end|start)\(/) }) {
      throw refusal(
        "'\(legacyEvent.escapedExcerpt)' takes a backup between a kill and the retry, which is not explored "
          + "any more")
    }
    if let malformedEvent = events.first(where: { !InjectedEvent.isWellFormed($0) }) {
      throw refusal("'\(malformedEvent.escapedExcerpt)' is not a system event")
    }
    guard events.count <= Scenario.ExplorationBounds.highestDepth else {
      throw refusal("it has more than \(Scenario.ExplorationBounds.highestDepth) injected events")
    }
    self.init(scenario: String(text[..<colonIndex]), events: events)
  }
}

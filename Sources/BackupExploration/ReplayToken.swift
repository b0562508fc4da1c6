package import BackupDiagnostics
package import BackupScenarios

extension ReplayToken {
  /// Reads what a report says behind `--replay`.
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
    if let other = events.first(where: { !InjectedEvent.canBeNamed($0) }) {
      throw refuse("'\(other.shown)' is not a system event")
    }
    guard events.count <= Scenario.ExplorationBounds.mostEvents else {
      throw refuse("it has more than \(Scenario.ExplorationBounds.mostEvents) injected events")
    }
    self.init(scenario: String(text[..<colon]), events: events)
  }
}

extension InjectedEvent {
  /// Whether a word can name an event: `3.lowStorage`, `2.kill(5~mark)`.
  fileprivate static func canBeNamed(_ word: String) -> Bool {
    let form = /[0-9]{1,6}\.([A-Za-z]+)(\([0-9]{1,9}~[A-Za-z]+\))?/
    guard let match = word.wholeMatch(of: form) else { return false }
    let name = String(match.1)
    return match.2 == nil
      ? Scenario.ExploredAct(rawValue: name) != nil && name != Recovery.retry.rawValue
      : Recovery(rawValue: name) != nil
  }

  /// Whether a word of a token means this event; nil if the point is the same and the change differs.
  func isMeant(by word: String) -> Bool? {
    let own = description
    if own == word { return true }
    return own.prefix { $0 != "~" } == word.prefix { $0 != "~" } ? nil : false
  }
}

import BackupRules
import BackupScenarios

extension BackupExploration {
  /// Notes what is found in the story as it is.
  mutating func noteOrdinary(_ history: History) async {
    guard history.acts.isEmpty, !knowsOrdinary else { return }
    var run = await wholly(told: history).run
    run.goToEnd()
    ordinary.formUnion(RuleList.findings(in: run.transcript).map(Discovery.Key.init))
  }

  /// Ends a history in which the app cannot do what the story says: simulated steps could not have
  /// looked, but code of its own could; and that it was killed amid a save is found all the same.
  mutating func abandon(_ history: History, _ end: StoryEnd) async {
    // The app is ended where its test is cancelled.
    if Task.isCancelled, end.cause != .step {
      counts.shortfall = .cancellation
      return
    }
    counts.abandoned += 1
    switch end.cause {
    case .code where !history.acts.isEmpty:
      var telling = await wholly(told: history)
      let reported = telling.findings(isAtEnd: false) {
        end.isReportedByRule && $0.step == end.step && $0.severity == .error
      }
      for finding in reported.isEmpty ? [.stepFailed(end)] : reported {
        discover(finding, in: history, telling, .lasting)
      }
    case .code, .machine: trouble = trouble ?? end
    case .step: break
    }
    guard end.cause != .machine, mayShowTornSave(history) else { return }
    var telling = await wholly(told: history)
    // The step that fails has started the app before.
    _ = telling.elements.popLast()
    if telling.run.doesSomethingAtLaunch {
      telling.elements.append(.act(.relaunch, version: ""))
    }
    for finding in telling.findings(isAtEnd: false, where: { $0.rule == RuleList.tornSave }) {
      discover(finding, in: history, telling, .lasting)
    }
  }

  /// Finds what is wrong in a history.
  mutating func judge(
    _ history: History, isAtEnd: Bool, acts: Int, tier: ExplorationSettings.Tier = .lasting
  ) async {
    // One with fewer acts was judged before.
    guard acts == 0, !history.acts.isEmpty, mayShow(history, tier) || !isByStates(history) else {
      return
    }
    var telling = await wholly(told: history)
    for finding in telling.findings(isAtEnd: isAtEnd, where: isNews(tier)) {
      discover(finding, in: history, telling, tier)
    }
  }

  /// What is wrong in a history that was not found before.
  func news(of history: History, isAtEnd: Bool) async -> [Scenario.Finding] {
    guard mayShow(history, .lasting) else { return [] }
    var telling = await wholly(told: history)
    return telling.findings(isAtEnd: isAtEnd, where: isNews(.lasting))
  }

  /// Whether a history shows nothing new where what the app's own code does at its end was told of
  /// another one in the same place.
  mutating func bringsNoNews(endOf history: inout History) -> Bool {
    guard !run.isValue, settings.mergesStates, settings.replayed == nil, !history.acts.isEmpty,
      !mayShow(history, .lasting)
    else { return false }
    let state = graph.state(number(of: &history))
    let suspicions = graph.forecast.endSuspicions(of: history.told, in: state)
    return suspicions.map { !$0.contains(where: isNews(.lasting)) } ?? false
  }

  /// Whether something of a history is news, as far as its parts show.
  func mayShow(_ history: History, _ tier: ExplorationSettings.Tier) -> Bool {
    if isByStates(history) { return areNews(history.suspicions, tier) }
    return history.needsWhole || history.told.followed.mayShow(isNews(tier))
  }

  /// Whether a save that was torn may be found in a history.
  private func mayShowTornSave(_ history: History) -> Bool {
    guard isByStates(history) else { return true }
    return history.suspicions.contains { number in
      graph.suspicion(number).key.rule == RuleList.tornSave && isNews(number, .lasting)
    }
  }

  /// Whether any of what rules suspect is news.
  func areNews(_ suspicions: [Int], _ tier: ExplorationSettings.Tier) -> Bool {
    suspicions.contains { isNews($0, tier) }
  }

  /// Whether what rules suspect is news, by its number.
  private func isNews(_ number: Int, _ tier: ExplorationSettings.Tier) -> Bool {
    let suspicion = graph.suspicion(number)
    return isNews(suspicion.key, suspicion.severity, tier)
  }

  /// Tells whether somebody wants to know of a finding that was not found before.
  private func isNews(_ tier: ExplorationSettings.Tier) -> (Scenario.Finding) -> Bool {
    { finding in isNews(Discovery.Key(finding), finding.severity, tier) }
  }

  /// Whether somebody wants to know of a mistake that is neither the story's own nor found before.
  private func isNews(
    _ key: Discovery.Key, _ severity: Scenario.Severity, _ tier: ExplorationSettings.Tier
  ) -> Bool {
    severity <= (tier == .lasting ? .warning : .error) && isNew(key, tier)
  }

  /// Whether a mistake is neither the story's own nor found before.
  private func isNew(_ key: Discovery.Key, _ tier: ExplorationSettings.Tier) -> Bool {
    !ordinary.contains(key) && known[tier]?.contains(key) != true
  }

  /// Notes what was found, unless the story shows it by itself.
  private mutating func discover(
    _ finding: Scenario.Finding, in history: History, _ telling: Telling,
    _ tier: ExplorationSettings.Tier
  ) {
    let key = Discovery.Key(finding)
    guard isNew(key, tier) else { return }
    known[tier, default: []].insert(key)
    discoveries.append(
      Discovery(
        key: key, finding: finding, tier: tier, acts: history.acts, elements: telling.elements,
        changes: history.changes))
  }
}

import BackupCollections
package import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios
import Foundation

/// The findings, events and items of one run, as data.
package struct RunReport: Codable, Sendable {
  package let system: String
  package let backups: String
  package let findings: [Finding]
  package private(set) var events: [Event] = []
  package private(set) var items: [Item] = []
  /// The number of items that are not in ``itemCount``, because there are too many.
  package private(set) var moreItems = 0
  /// The lines of the app's code that changed items; nil unless tests run with coverage and with
  /// `FileSystemTap`.
  package private(set) var calls: [Call]?

  package struct Finding: Codable, Sendable {
    package let rule: String
    package let severity: Scenario.Severity
    /// The step's number or name, such as `3` or `launch 1`.
    package let step: String
    package let line: Int
    package let path: String?
    package let message: String
    package let advice: String
    package let note: String?
    package let sources: [String]
    package let expected: Bool
  }

  /// One execution of a step of the app or of iOS.
  package struct Event: Codable, Sendable {
    package let step: String
    package let line: Int
    package let kind: Kind
    /// The step in a few words.
    package let summary: String
    /// The number of files in a backup.
    package var files: Int?
    /// The number of bytes in a backup.
    package var bytes: Int64?
    /// The number of bytes in a backup for each class of data.
    package var byClass: [String: Int64]?
    /// The output of a process that the step ran.
    package var output: String?

    /// The kind of an event of the app or of iOS.
    package enum Kind: String, CaseIterable, Codable, Sendable {
      case app, launch, killed, place, backup, purge, updateApp, updateSystem, restore, offload
      case reinstall, restart, lock, unlock
    }
  }

  package struct Item: Codable, Sendable {
    /// The path, as in golden files. The path of a directory ends with a slash.
    package let path: String
    package let dataClass: String?
    package fileprivate(set) var states: [State] = []

    private enum CodingKeys: String, CodingKey {
      case path, states
      case dataClass = "class"
    }
  }

  /// A line of the app's code that changed an item.
  package struct Call: Codable, Hashable, Sendable {
    package let step: String
    package let kind: ChangeCall.Kind
    package let path: String
    package let code: CodePlace
  }

  /// The state that an item has, or would have, in a backup after an event. The state holds until
  /// the item's next state.
  package struct State: Codable, Equatable, Sendable {
    /// The index of the event; -1 for the start of the run.
    package fileprivate(set) var event: Int
    /// `in` for a backed-up item, `missing` for an item that does not exist, and otherwise the
    /// reason for exclusion: `mark`, `place` or `other`.
    package let state: String
    package let size: Int64?
    /// The reason why the item is excluded or missing.
    package fileprivate(set) var why: String?

    package var isPurged: Bool { why == Transcript.LossReason.purged.rawValue }
  }

  /// The most items that a report has for each run, if it is written to a file.
  package static let maximumItemCount = 500
  /// The most items times events for which a report simulates a backup after each event. Above this
  /// limit, the report has no simulated backups after events of the app.
  private static let maximumDecisionCount = 200_000

  init(_ run: ScenarioResult.Run, of result: ScenarioResult, maximumItemCount: Int) {
    self.system = run.variant.system.description
    self.backups = run.variant.backups.rawValue
    self.findings = run.findings.map { Finding($0, among: run.transcript?.changeCalls ?? []) }
    guard let transcript = run.transcript else { return }
    let executions = transcript.entries.executions
    events = executions.map { Event($0, transcript.scenario.files) }
    addItems(
      after: executions, in: transcript, maximumItemCount: maximumItemCount,
      namesCode: result.verdict != .passed)
    let measuresCoverage = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil
    guard measuresCoverage, !transcript.changeCalls.isEmpty else { return }
    CodeReader.cacheFrames(of: transcript.changeCalls.map(\.changeCall))
    calls = transcript.changeCalls.compactMap(Call.init).grouped { $0 }.map { $0[0] }
  }

  /// Adds the items with their states in a backup after each event.
  private mutating func addItems(
    after executions: [ArraySlice<Transcript.Entry>], in transcript: Transcript,
    maximumItemCount: Int,
    namesCode: Bool
  ) {
    var states = ItemStates(
      promises: transcript.scenario.files, calls: namesCode ? transcript.changeCalls : [])
    if let first = transcript.entries.first {
      let simulator = BackupSimulator(
        profile: first.profile, backups: transcript.variant.backups)
      states.add(simulator.backUp(transcript.firstTree), at: -1, of: [])
    }
    let explanations = ItemExplanation.byStep(in: transcript)
    let includesAppEvents =
      transcript.lastTree.amount.itemCount * executions.count < Self.maximumDecisionCount
    for (index, execution) in executions.enumerated() {
      guard let last = execution.last, includesAppEvents || events[index].kind != .app else {
        continue
      }
      let simulator = BackupSimulator(profile: last.profile, backups: transcript.variant.backups)
      let backup = execution.lazy.compactMap(\.event.backup).first?.contents
      states.add(
        backup ?? simulator.backUp(last.tree), at: index, of: execution,
        explainedBy: backup == nil ? nil : explanations[last.step.number])
    }
    items = Array(states.items.prefix(maximumItemCount))
    moreItems = states.items.count - items.count
  }
}

/// Collects the states of items by comparing each backup with the backup before it.
private struct ItemStates {
  let promises: FilePromises?
  /// The calls of the app's code; empty if reasons must not name code.
  let calls: [Transcript.Call]
  private(set) var items: [RunReport.Item] = []
  private var itemIndices: [ContainerPath: Int] = [:]

  init(promises: FilePromises?, calls: [Transcript.Call]) {
    self.promises = promises
    self.calls = calls
    CodeReader.cacheFrames(of: calls.map(\.changeCall))
  }

  mutating func add(
    _ backup: BackupSet, at event: Int, of execution: ArraySlice<Transcript.Entry>,
    explainedBy explanation: ItemExplanation? = nil
  ) {
    var missingPaths = Set(itemIndices.keys)
    for decision in backup.decisions {
      missingPaths.remove(decision.path)
      // A directory is listed if it is empty, has a mark itself, or was listed before.
      let isListed =
        decision.isFileOrLink || decision.isMarkedOrEmptyDirectory
        || itemIndices[decision.path] != nil
      guard isListed else { continue }
      add(
        RunReport.State(
          event: event, state: ItemState(decision.verdict).word, size: decision.size,
          why: decision.reason?.phrase),
        of: decision.path, isDirectory: decision.isDirectory)
      if let explanation, let index = itemIndices[decision.path] {
        let code = execution.first.flatMap { CodeAccount(of: decision, at: $0.step, among: calls) }
        items[index].explain(
          by: explanation.cause(of: decision) + (code.map { "; \($0.sentence)" } ?? ""), at: event)
      }
    }
    for path in missingPaths {
      let why = execution.lazy.compactMap { $0.event.whyMissing(path) }.first
      add(
        RunReport.State(event: event, state: "missing", size: nil, why: why), of: path,
        isDirectory: false)
    }
  }

  private mutating func add(_ state: RunReport.State, of path: ContainerPath, isDirectory: Bool) {
    guard let index = itemIndices[path] else {
      itemIndices[path] = items.count
      items.append(
        RunReport.Item(
          path: isDirectory ? "\(path)/" : "\(path)",
          dataClass: promises?.dataClass(of: path)?.rawValue, states: [state]))
      return
    }
    guard let last = items[index].states.last, !last.covers(state) else { return }
    // An item that stays missing keeps the first reason.
    if last.state == "missing", state.state == "missing" { return }
    items[index].states.append(state)
  }
}

extension RunReport.Item {
  /// Gives the item's last state a more exact reason. If the state already has another reason, adds
  /// a new state.
  fileprivate mutating func explain(by reason: String, at event: Int) {
    guard let last = states.last, last.why != reason else { return }
    let isSameReason = reason.hasPrefix(last.why ?? "")
    if isSameReason { states.removeLast() }
    var explainedState = last
    explainedState.why = reason
    if !isSameReason { explainedState.event = event }
    states.append(explainedState)
  }
}

extension RunReport.State {
  /// Returns true if a later state adds nothing to this state. The reason of this state may have
  /// more details.
  fileprivate func covers(_ laterState: Self) -> Bool {
    var adjustedState = laterState
    adjustedState.event = event
    if (why ?? "").hasPrefix(laterState.why ?? "") { adjustedState.why = why }
    return self == adjustedState
  }
}

extension [Transcript.Entry] {
  /// The entries, in a slice for each execution of a step.
  fileprivate var executions: [ArraySlice<Transcript.Entry>] {
    var executions: [ArraySlice<Transcript.Entry>] = []
    var start = startIndex
    for index in indices.dropFirst() where self[index].step != self[start].step {
      executions.append(self[start..<index])
      start = index
    }
    return isEmpty ? [] : executions + [self[start...]]
  }
}

extension RunReport.Call {
  /// Creates a call with its line of code; nil if the kit does not know the line.
  fileprivate init?(_ call: Transcript.Call) {
    guard let code = CodeReader.places(of: call.changeCall)?.first else { return nil }
    self.init(
      step: call.step.number.description, kind: call.changeCall.kind,
      path: call.changeCall.path.description,
      code: code)
  }
}

extension RunReport.Event {
  private static let maximumOutputLength = 4000

  fileprivate init(_ execution: ArraySlice<Transcript.Entry>, _ promises: FilePromises?) {
    let step = execution.first?.step
    self.step = step?.number.description ?? ""
    self.line = step?.position.line ?? 1
    self.summary = (step?.summary ?? "").asMessage
    let kinds = execution.compactMap(\.event.kind)
    let everyEntryHasKind = !kinds.isEmpty && kinds.count == execution.count
    self.kind = kinds.first { $0 != .launch } ?? (everyEntryHasKind ? .launch : .app)
    for entry in execution {
      if case .output(let text) = entry.event { output = text.cut(to: Self.maximumOutputLength) }
    }
    guard let backup = execution.lazy.compactMap(\.event.backup).first else { return }
    files = backup.contents.fileCount
    bytes = backup.contents.bytes
    byClass = BackupSizes(of: backup.contents, promises).byClass?.mapValues(\.byteCount)
  }
}

extension RunReport.Finding {
  fileprivate init(_ finding: Scenario.Finding, among calls: [Transcript.Call]) {
    let code = CodeAccount(of: finding, among: calls)
    self.init(
      rule: finding.rule, severity: finding.severity, step: finding.step.number.description,
      line: finding.step.position.line, path: finding.path?.description,
      message: finding.message.asMessage, advice: finding.advice.asMessage,
      note: finding.note(naming: code)?.asMessage, sources: finding.sources.map(\.key),
      expected: finding.isExpected)
  }
}

extension Transcript.Event {
  /// The kind of an event of iOS, a launch or a kill; nil for any other event.
  fileprivate var kind: RunReport.Event.Kind? {
    switch systemEvent {
    case .backup: .backup
    case .purge: .purge
    case .appUpdate: .updateApp
    case .systemUpdate: .updateSystem
    case .restore: .restore
    case .place: .place
    case .offload: .offload
    case .reinstall: .reinstall
    case .lock(.restart), .lock(.lockedRestart): .restart
    case .lock(.lock): .lock
    case .lock(.unlock): .unlock
    case nil:
      if case .launch = self { .launch } else if case .killed = self { .killed } else { nil }
    }
  }

  /// Returns the reason why an item is missing after the event; nil if this event removed no items.
  fileprivate func whyMissing(_ path: ContainerPath) -> String? {
    if case .changes = self { return "removed by the app" }
    guard let lossReason = systemEvent?.lossReason else { return nil }
    return lossReason.rawValue + (systemEvent?.leftOutReason(for: path).map { ": \($0)" } ?? "")
  }
}

extension BackupSet.Decision {
  var isDirectory: Bool {
    if case .directory = kind { true } else { false }
  }

  fileprivate var isMarkedOrEmptyDirectory: Bool {
    if case .leftOut(.ownMark) = verdict { true } else { kind == .directory(isEmpty: true) }
  }
}

/// The state of an item in a backup: included, or excluded for a reason.
package enum ItemState: Int, CaseIterable, Sendable {
  case included
  /// A mark excludes the item.
  case mark
  /// The directory of the item is not backed up.
  case place
  /// The item's name or kind, or the length of its path, excludes it.
  case other

  package init(_ verdict: BackupSet.Decision.Verdict) {
    switch verdict {
    case .included: self = .included
    case .leftOut(.ownMark), .leftOut(.markedDirectory): self = .mark
    case .leftOut(.location), .leftOut(.systemManaged), .leftOut(.outsideRoots), .leftOut(.bundle):
      self = .place
    case .leftOut: self = .other
    }
  }

  /// The word in JSON and in style sheets.
  package var word: String { self == .included ? "in" : "\(self)" }

  package var phrase: String {
    switch self {
    case .included: "in the backup"
    case .mark: "excluded by a mark"
    case .place: "excluded by its place"
    case .other: "excluded for another reason"
    }
  }
}

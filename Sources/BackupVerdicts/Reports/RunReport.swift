import BackupCollections
package import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios
import Foundation

/// What happened in one run, as data: what the app and iOS did, and what became of each item.
package struct RunReport: Codable, Sendable {
  package let system: String
  package let backups: String
  package let findings: [Finding]
  package private(set) var events: [Event] = []
  package private(set) var items: [Item] = []
  /// How many more items there were than the report has.
  package private(set) var moreItems = 0
  /// The lines of the app's code that changed items; nil unless tests run with coverage and the tap.
  package private(set) var calls: [Call]?

  package struct Finding: Codable, Sendable {
    package let rule: String
    package let severity: Scenario.Severity
    /// `3`, or `launch 1`.
    package let step: String
    package let line: Int
    package let path: String?
    package let message: String
    package let advice: String
    package let note: String?
    package let sources: [String]
    package let expected: Bool
  }

  /// A step of the app or of iOS, at each time that it ran.
  package struct Event: Codable, Sendable {
    package let step: String
    package let line: Int
    package let kind: Kind
    /// What the step does, in a few words.
    package let summary: String
    /// The number of files and of bytes in a backup.
    package var files: Int?
    package var bytes: Int64?
    /// The bytes in a backup, by class of data.
    package var byClass: [String: Int64]?
    /// What a process printed.
    package var output: String?

    /// What the app did, or iOS.
    package enum Kind: String, CaseIterable, Codable, Sendable {
      case app, launch, killed, place, backup, purge, updateApp, updateSystem, restore, offload
      case reinstall, restart, lock, unlock
    }
  }

  package struct Item: Codable, Sendable {
    /// As in golden files; a directory ends with a slash.
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

  /// What a backup after an event would do with an item; until the next state.
  package struct State: Codable, Equatable, Sendable {
    /// The index of the event; -1 for the container before the first.
    package fileprivate(set) var event: Int
    /// `in`, `mark`, `place` or `other` as reasons for exclusion, or `missing`.
    package let state: String
    package let size: Int64?
    /// Why the item is excluded or missing.
    package fileprivate(set) var why: String?

    package var isPurged: Bool { why == Transcript.Fate.purged.rawValue }
  }

  /// The number of items of each run in a report that is written to a file.
  package static let mostItems = 500
  /// The most decisions on items that a report makes; beyond, it follows only what iOS did.
  private static let mostDecisions = 200_000

  init(_ run: ScenarioResult.Run, of result: ScenarioResult, mostItems: Int) {
    self.system = run.variant.system.description
    self.backups = run.variant.backups.rawValue
    self.findings = run.findings.map { Finding($0, among: run.transcript?.calls ?? []) }
    guard let transcript = run.transcript else { return }
    let columns = transcript.entries.columns
    events = columns.map { Event($0, transcript.scenario.files) }
    follow(columns, in: transcript, mostItems: mostItems, namesCode: result.verdict != .passed)
    let isCovered = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil
    guard isCovered, !transcript.calls.isEmpty else { return }
    CodeReader.cacheFrames(of: transcript.calls.map(\.call))
    calls = transcript.calls.compactMap(Call.init).grouped { $0 }.map { $0[0] }
  }

  /// Notes what would become of each item in a backup after each column.
  private mutating func follow(
    _ columns: [ArraySlice<Transcript.Entry>], in transcript: Transcript, mostItems: Int,
    namesCode: Bool
  ) {
    var states = ItemStates(
      promises: transcript.scenario.files, calls: namesCode ? transcript.calls : [])
    if let first = transcript.entries.first {
      let simulator = BackupSimulator(
        profile: first.profile, backups: transcript.variant.backups)
      states.add(simulator.backUp(transcript.firstTree), at: -1, of: [])
    }
    let explanations = ItemExplanation.byStep(in: transcript)
    let isSmall = transcript.lastTree.amount.items * columns.count < Self.mostDecisions
    for (index, column) in columns.enumerated() {
      guard let last = column.last, isSmall || events[index].kind != .app else { continue }
      let simulator = BackupSimulator(profile: last.profile, backups: transcript.variant.backups)
      let backup = column.lazy.compactMap(\.event.backup).first?.contents
      states.add(
        backup ?? simulator.backUp(last.tree), at: index, of: column,
        explainedBy: backup == nil ? nil : explanations[last.step.number])
    }
    items = Array(states.items.prefix(mostItems))
    moreItems = states.items.count - items.count
  }
}

/// The states of items, found by comparing each backup with the one before.
private struct ItemStates {
  let promises: FilePromises?
  /// The calls of the app's code; none if the reasons are not to name them.
  let calls: [Transcript.Call]
  private(set) var items: [RunReport.Item] = []
  private var indices: [ContainerPath: Int] = [:]

  init(promises: FilePromises?, calls: [Transcript.Call]) {
    self.promises = promises
    self.calls = calls
    CodeReader.cacheFrames(of: calls.map(\.call))
  }

  mutating func add(
    _ set: BackupSet, at event: Int, of column: ArraySlice<Transcript.Entry>,
    explainedBy explanation: ItemExplanation? = nil
  ) {
    var missing = Set(indices.keys)
    for decision in set.decisions {
      missing.remove(decision.path)
      // A directory has a state if it is empty, or has a mark of its own.
      let isShown = decision.isLeaf || decision.isNotable || indices[decision.path] != nil
      guard isShown else { continue }
      add(
        RunReport.State(
          event: event, state: ItemState(decision.verdict).word, size: decision.size,
          why: decision.reason?.phrase),
        of: decision.path, decision.isDirectory)
      if let explanation, let index = indices[decision.path] {
        let code = column.first.flatMap { CodeAccount(of: decision, at: $0.step, among: calls) }
        items[index].explain(
          by: explanation.cause(of: decision) + (code.map { "; \($0.sentence)" } ?? ""), at: event)
      }
    }
    for path in missing {
      let why = column.lazy.compactMap { $0.event.whyMissing(path) }.first
      add(RunReport.State(event: event, state: "missing", size: nil, why: why), of: path, false)
    }
  }

  private mutating func add(_ state: RunReport.State, of path: ContainerPath, _ isDirectory: Bool) {
    guard let index = indices[path] else {
      indices[path] = items.count
      items.append(
        RunReport.Item(
          path: isDirectory ? "\(path)/" : "\(path)",
          dataClass: promises?.dataClass(of: path)?.rawValue, states: [state]))
      return
    }
    guard let last = items[index].states.last, !last.says(state) else { return }
    // What is missing stays so for the first reason.
    if last.state == "missing", state.state == "missing" { return }
    items[index].states.append(state)
  }
}

extension RunReport.Item {
  /// Adds what a backup knows about the item's last state; another backup may have known another
  /// reason for it.
  fileprivate mutating func explain(by why: String, at event: Int) {
    guard let last = states.last, last.why != why else { return }
    let isFirst = why.hasPrefix(last.why ?? "")
    if isFirst { states.removeLast() }
    var explained = last
    explained.why = why
    if !isFirst { explained.event = event }
    states.append(explained)
  }
}

extension RunReport.State {
  /// True if another state adds nothing to this one, at whatever event. A backup may have said more about the
  /// same reason.
  fileprivate func says(_ other: Self) -> Bool {
    var same = other
    same.event = event
    if (why ?? "").hasPrefix(other.why ?? "") { same.why = why }
    return self == same
  }
}

extension [Transcript.Entry] {
  /// The entries of each step at each time that it ran.
  fileprivate var columns: [ArraySlice<Transcript.Entry>] {
    var columns: [ArraySlice<Transcript.Entry>] = []
    var start = startIndex
    for index in indices.dropFirst() where self[index].step != self[start].step {
      columns.append(self[start..<index])
      start = index
    }
    return isEmpty ? [] : columns + [self[start...]]
  }
}

extension RunReport.Call {
  /// Nil if the line is not known.
  fileprivate init?(_ call: Transcript.Call) {
    guard let code = CodeReader.places(of: call.call)?.first else { return nil }
    self.init(
      step: call.step.number.description, kind: call.call.kind, path: call.call.path.description,
      code: code)
  }
}

extension RunReport.Event {
  private static let longestOutput = 4000

  fileprivate init(_ column: ArraySlice<Transcript.Entry>, _ promises: FilePromises?) {
    let step = column.first?.step
    self.step = step?.number.description ?? ""
    self.line = step?.position.line ?? 1
    self.summary = (step?.summary ?? "").asMessage
    let kinds = column.compactMap(\.event.kind)
    let isStart = !kinds.isEmpty && kinds.count == column.count
    self.kind = kinds.first { $0 != .launch } ?? (isStart ? .launch : .app)
    for entry in column {
      if case .output(let text) = entry.event { output = text.cut(to: Self.longestOutput) }
    }
    guard let backup = column.lazy.compactMap(\.event.backup).first else { return }
    files = backup.contents.fileCount
    bytes = backup.contents.bytes
    byClass = BackupSizes(of: backup.contents, promises).byClass?.mapValues(\.bytes)
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
  /// The kind of what iOS did; nil for what the app did.
  fileprivate var kind: RunReport.Event.Kind? {
    switch system {
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

  /// Why an item is missing after the event; nil if the event did not take it.
  fileprivate func whyMissing(_ path: ContainerPath) -> String? {
    if case .changes = self { return "removed by the app" }
    guard let fate = system?.fate else { return nil }
    return fate.rawValue + (system?.reason(for: path).map { ": \($0)" } ?? "")
  }
}

extension BackupSet.Decision {
  var isDirectory: Bool {
    if case .directory = kind { true } else { false }
  }

  fileprivate var isNotable: Bool {
    if case .leftOut(.ownMark) = verdict { true } else { kind == .directory(isEmpty: true) }
  }
}

/// Whether a backup holds an item, and in a word why not.
package enum ItemState: Int, CaseIterable, Sendable {
  case included
  /// A mark keeps the item out.
  case mark
  case place
  /// What it is does: its name, its kind, its path's length.
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

  package var words: String {
    switch self {
    case .included: "in the backup"
    case .mark: "excluded by a mark"
    case .place: "excluded by its place"
    case .other: "excluded for another reason"
    }
  }
}

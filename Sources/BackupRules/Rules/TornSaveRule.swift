import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// What the user made, gone or in pieces because the app was killed while it saved.
///
/// The system ends apps when it likes, between any two changes to the file system. A save that
/// removes the old file first, or writes over it in place, has a moment at which there is neither the
/// old file nor the new one.
///
/// A start of the app may put it right, so what the next one leaves is judged. What the app's step
/// itself removes, or moves, was to go. A database is SQLite's to mend.
struct TornSaveRule: Rule {
  let name = "torn-save"
  let severity = Scenario.Severity.error
  let summary = "a critical file that is gone or in pieces after the app was killed"
  let subjects: [SystemProfile.Subject] = [.ending]
  let sources: [SystemProfile.Source] = [.appleAppGuide, .swiftFoundation]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    guard history.scenario.files != nil else { return }
    for (index, entry) in history.indexedEntries {
      guard case .killed(let kill) = entry.event else { continue }
      let save = TornSave(kill, at: index, in: history.transcript)
      for path in save.candidates
      where history.promisedClass(of: path) == .critical && !history.remnants.contains(path) {
        guard let damage = save.damage(to: path) else { continue }
        findings.add(
          self, at: entry.step, on: path,
          "'\(path)' is the user's own, and the app was killed before it \(kill.point.inPast): now it "
            + damage,
          advice: "save it atomically, which leaves either the old file or the new one; what takes "
            + "several steps, in a copy that takes its place in the end")
      }
    }
  }
}

/// The user's files before and after a kill.
private struct TornSave {
  /// The files that were there before and are not as they were, in the order of a walk.
  let candidates: [ContainerPath]
  /// The containers in which the app has left the files whole, the latest last.
  private let former: [FileTree]
  /// The container as the whole step would have left it; nil where nobody knows.
  private let whole: FileTree?
  /// The container after the kill, and when the app had started again, where it did.
  private let later: [FileTree]

  /// A kill, by its index in a run's transcript.
  init(_ kill: Transcript.Event.Kill, at index: Int, in transcript: Transcript) {
    let entries = transcript.entries
    let begin = entries[..<kill.entryCount].lastIndex { $0.event.isBySystem || $0.event.isKill }
    let first = begin.map { entries[$0].tree } ?? transcript.firstTree
    let since = (begin ?? -1) + 1
    self.former = [first] + entries[since..<kill.entryCount].map(\.tree)
    var changed: Set<ContainerPath> = []
    var tree = first
    for entry in entries[since..<index] {
      entry.tree.forEachFile(changedSince: tree, in: entry.event.touchedPaths.topmost) {
        path, _, isThere in
        if !isThere, !path.name.isDatabaseSibling { changed.insert(path) }
      }
      tree = entry.tree
    }
    self.candidates = changed.sorted { $0.precedesInWalk($1) }
    self.whole = kill.whole
    let start = entries[(index + 1)...].firstIndex {
      if case .launch = $0.event { true } else { false }
    }
    let started = start.flatMap { start in
      entries[start...].dropFirst().prefix(while: \.isOfStart).last ?? entries[start]
    }
    self.later = [entries[index].tree] + [started].compactMap { $0?.tree }
  }

  /// What became of a file, as the end of a sentence; nil where it was as before or as it was to be,
  /// or the app's start has made it so.
  func damage(to path: ContainerPath) -> String? {
    let damages = later.map { damage(to: path, in: $0) }
    return damages.contains(nil) ? nil : damages.last ?? nil
  }

  /// What became of a file in a container.
  private func damage(to path: ContainerPath, in now: FileTree) -> String? {
    let known = former.compactMap { $0.file(at: path) }
    guard let latest = known.last, !latest.isDatabase else { return nil }
    let wasThere = former.last?.file(at: path) != nil
    let wanted = whole?.file(at: path)
    guard let found = now.file(at: path) else {
      let wasToGo = whole != nil ? wanted == nil : !wasThere
      return wasToGo ? nil : "is gone"
    }
    let isWhole = (known + [wanted].compactMap(\.self)).contains(where: found.mayHoldTheSame)
    let isBetween = wanted.map { latest.size <= found.size && found.size <= $0.size } ?? false
    guard !isWhole, !isBetween else { return nil }
    return "holds \(Int(found.size).counted("byte")), neither what it held nor what it was to hold"
  }
}

extension FileTree {
  /// What is known of the contents of a file; nil where there is none.
  fileprivate func file(at path: ContainerPath) -> FileInformation? {
    if case .file(let information) = self[path]?.kind { information } else { nil }
  }
}

extension Transcript.Event {
  /// Whether the app was killed within a step.
  fileprivate var isKill: Bool {
    if case .killed = self { true } else { false }
  }
}

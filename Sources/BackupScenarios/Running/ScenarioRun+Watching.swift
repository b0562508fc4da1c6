import BackupApp
import BackupContainer
import BackupDevice
import BackupFileTree
import Foundation

extension ScenarioRun {
  /// Runs the app's own code in the container, and records its changes.
  mutating func watch(
    probing: Bool, in identifier: String? = nil, _ code: @Sendable () async throws -> Void
  ) async throws(StepFailure) {
    let container = try directory()
    isDiskUncertain = true
    // A recording contains each mark that the code sets, so it needs no probes.
    let watch = try beginWatching(probing: probing && !isRecording)
    var thrown: (any Error)?
    do {
      try await container.running(extension: identifier, inProcess: runner.host.runsInProcess) {
        try await code()
      }
    } catch {
      thrown = error
    }
    let trace = try endWatching(watch)
    let outside = container.takeHomeComplaints()
    transcript.doubts += outside.filter { !$0.isCertain }.map {
      Transcript.Doubt(step: currentStep, message: $0.text)
    }
    let certain = outside.filter(\.isCertain).map(\.text)
    if let lost = (container.takeLostLookUps() + certain).first {
      throw StepFailure(lost, .notAllowed)
    }
    guard let thrown else { return try recordUnnoticedRefusal(in: trace) }
    if let end = thrown as? AppFailure {
      throw StepFailure(
        container.namingItems(in: end.description), end.isMachineFault ? .machineFault : .codeEnded)
    }
    throw try failure(for: ThrownError(thrown), refused: trace.refusedPlaces)
  }

  /// Takes a snapshot of the container before the app's code runs. `scanned` is its tree if it was just scanned.
  func beginWatching(
    probing: Bool, in scanned: FileTree? = nil
  ) throws(StepFailure) -> ContainerWatch {
    let container = try directory()
    return try failingStep(try container.beginWatching(probing: probing, in: scanned))
  }

  /// Scans the container again, and records the changes since a snapshot. `hasRun` is true if the app's code is known
  /// to have run, which is recorded even without changes.
  @discardableResult
  mutating func endWatching(
    _ watch: ContainerWatch, hasRun: Bool = true
  ) throws(StepFailure) -> ContainerTrace {
    let container = try directory()
    let trace = try failingStep(try container.endWatching(watch, known: tree))
    transcript.calls += trace.calls.map { Transcript.Call(step: currentStep, call: $0) }
    // This comes before the changes, which may create the missing items.
    for path in trace.foundMissing { notes.removeTakenFiles(beside: path) }
    if hasRun || !trace.changes.isEmpty || trace.tree != tree {
      try record(.changes(trace.changes), tree: trace.tree, in: .code)
    }
    for path in trace.marksOnMissing { try record(.markOnMissing(path)) }
    for path in trace.formerPathsUsed { try record(.staleURL(path, wrappedIn: nil)) }
    try recordUnavailableMarks(in: trace)
    return trace
  }

  /// Records a refused item that the app's code did not notice: it neither threw an error nor saved another item.
  private mutating func recordUnnoticedRefusal(in trace: ContainerTrace) throws(StepFailure) {
    guard let refused = trace.refusedPlaces.first,
      !trace.changes.contains(where: { isSave($0, in: trace.tree) })
    else { return }
    try record(.refused(refused, wrappedIn: nil))
  }

  /// Returns true for a change that saves a file. Preferences, which Foundation writes, do not count, and neither do
  /// directories, which may be for the refused item.
  private func isSave(_ change: FileTree.Change, in tree: FileTree) -> Bool {
    guard change.places, change.path.location != .preferences else { return false }
    if case .created(let path) = change { return tree[path]?.isDirectory != true }
    return true
  }

  /// Records the items that the app's code has marked only with marks that the system does not have.
  private mutating func recordUnavailableMarks(in trace: ContainerTrace) throws(StepFailure) {
    var attempts = trace.marksUnavailable.map { ($0, ExclusionMark.resourceValue) }
    for case .marked(let path, let mark) in trace.changes
    where !profile.availableMarks.value.contains(mark) {
      attempts.append((path, mark))
    }
    var seen: Set<ContainerPath> = []
    for (path, mark) in attempts where seen.insert(path).inserted {
      if needsMark(path, in: trace.tree) { try record(.markUnavailable(path, mark)) }
    }
  }

  /// Returns true if a mark would matter on an item, and neither the item nor a directory above it has a mark that the
  /// system knows.
  private func needsMark(_ path: ContainerPath, in tree: FileTree) -> Bool {
    tree.contains(path) && !profile.mayPurge(path)
      && !(path.ancestors + [path]).contains { path in
        tree[path]?.marks.isDisjoint(with: profile.availableMarks.value) == false
      }
  }

  /// Sets in the transcript the modules in which the kit sees marks by Foundation.
  mutating func setModulesWithShim() {
    switch runner.foundationMarks() {
    case .everyModule: transcript.stepsWithoutShim = []
    case .modules(let modules): transcript.modulesWithShim = modules
    }
  }

  /// Returns the failure for an error of the app's code, and records the event by which a rule can judge it. `refused`
  /// has the items that a device refuses to create or write.
  mutating func failure(
    for error: ThrownError, refused: [ContainerPath] = []
  ) throws(StepFailure) -> StepFailure {
    if let mistake = error.argumentMistake {
      return StepFailure(mistakenArgument: error.message, at: mistake.position)
    }
    var failure = try classify(error, refused: refused)
    failure.callers = error.stack.callers
    return failure
  }

  private mutating func classify(
    _ error: ThrownError, refused: [ContainerPath]
  ) throws(StepFailure) -> StepFailure {
    let container = try directory()
    let cause = error.cause
    let words = container.namingItems(in: error.message)
    let foreign = cause.paths.lazy.compactMap(container.complaint(onForeignPath:)).first
    let isStart = circumstances.contains(.start) || currentStep.isOfLaunch
    let actor = isStart ? "the app does not start: its launch" : "the app's code"
    let message = "\(actor) threw: \(words)" + (foreign.map { "; \($0)" } ?? "")
    if !circumstances.contains(.fullStorage), let fault = error.machineFault {
      return StepFailure("\(message); \(fault)", .machineFault)
    }
    if let path = error.tooLongPaths.lazy.compactMap(container.containerPath).first(where: fits) {
      return StepFailure("\(message); \(tooLongHere(path, in: container))", .machineFault)
    }
    let wrapper = error.isWrapper ? words : nil
    if let path = cause.paths.lazy.compactMap(container.formerContainerPath).first {
      // The event without the error is already recorded.
      transcript.entries.removeAll { entry in
        guard entry.step == currentStep, case .staleURL(path, wrappedIn: nil) = entry.event else {
          return false
        }
        return true
      }
      try record(.staleURL(path, wrappedIn: wrapper))
      return StepFailure(message, .reported(.code), code: cause.code)
    }
    let paths = cause.paths.compactMap(container.containerPath)
    if let path = refusal(among: refused, in: error, paths) {
      try record(.refused(path, wrappedIn: cause.paths.isEmpty ? words : wrapper))
      return StepFailure(message, .reported(.code), code: cause.code)
    }
    if cause.code == .noSuchFile, paths.contains(where: device.interruptedItems.removed.contains) {
      return StepFailure(message, .missedInterruptedItem, code: cause.code)
    }
    let isReported =
      switch cause.code {
      case .fileExists: try recordOwnRemnant(among: paths)
      case .noSuchFile:
        if try recordUsedStaleLink(onTheWayTo: paths, wrappedIn: wrapper) {
          true
        } else {
          try recordMissingItem(among: paths, isRead: cause.isRead, wrappedIn: wrapper)
        }
      case .unavailable: paths.contains(where: hasMarkedInVain)
      default: false
      }
    return StepFailure(
      message, isReported ? .reported(.code) : .failed(.code), code: cause.code)
  }

  /// Returns the refused item that an error is about; nil if the error is about another item.
  private func refusal(
    among refused: [ContainerPath], in error: ThrownError, _ paths: [ContainerPath]
  ) -> ContainerPath? {
    guard let last = refused.last else { return nil }
    // The refused path of a save is its temporary file's, and the error's path is the file's.
    let named = paths.first(where: profile.refuses)
    let above = refused.first { place in paths.contains(where: place.covers) }
    return named ?? above ?? (error.cause.code == nil ? last : nil)
  }

  private func deviceLength(of path: ContainerPath) -> Int {
    profile.backup.containerPathLength.value + path.bytes.count
  }

  /// Returns true if a path in the container is short enough for a device, with the NUL that ends it.
  private func fits(_ path: ContainerPath) -> Bool {
    deviceLength(of: path) < ContainerPath.longestPath
  }

  /// Returns the message about a path that is short enough for a device, but too long for this machine.
  private func tooLongHere(_ path: ContainerPath, in container: FakeContainer) -> String {
    let here = container.url.path.utf8.count + 1 + path.bytes.count
    return "the path is too long on this machine (\(here) bytes), but not on a device "
      + "(\(deviceLength(of: path)) bytes); set TMPDIR to a folder with a shorter path"
  }

  /// Records the item that the app's code did not find. Returns false if the error names no such item.
  private mutating func recordMissingItem(
    among paths: [ContainerPath], isRead: Bool, wrappedIn wrapper: String?
  ) throws(StepFailure) -> Bool {
    if paths.contains(where: hasMarkedInVain) { return true }
    guard let path = paths.first(where: { !tree.contains($0) }) else { return false }
    let missing = path.ancestors.first { !tree.contains($0) } ?? path
    try record(
      isRead
        ? .readMissing(path, wrappedIn: wrapper) : .writeToMissing(missing, wrappedIn: wrapper))
    return true
  }

  /// Records the item that the app's code wanted to create and that already exists from an interrupted step. Returns
  /// false if there is no such item.
  private mutating func recordOwnRemnant(among paths: [ContainerPath]) throws(StepFailure) -> Bool {
    // If an error names two items, the second is the target.
    guard let path = paths.last, device.interruptedItems.created.contains(path) else {
      return false
    }
    try record(.foundOwnRemnant(path))
    return true
  }

  /// Returns true if the current step has set a mark on a missing item, or a mark that the system does not have.
  private func hasMarkedInVain(_ path: ContainerPath) -> Bool {
    transcript.entries.reversed().prefix { $0.step == currentStep }.contains { entry in
      switch entry.event {
      case .markOnMissing(path), .markUnavailable(path, _): true
      default: false
      }
    }
  }
}

import BackupApp
import BackupContainer
import BackupDevice
import BackupFileTree
import Foundation

extension ScenarioRun {
  /// Runs the app's own code in the container and records what it did there.
  mutating func watch(
    probing: Bool, in identifier: String? = nil, _ code: @Sendable () async throws -> Void
  ) async throws(StepFailure) {
    let container = try directory()
    isDiskUncertain = true
    // What is recorded says by itself what was marked.
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
    guard let thrown else { return try noteUnnoticedRefusal(in: trace) }
    if let end = thrown as? AppFailure {
      throw StepFailure(
        container.namingItems(in: end.description), end.isMachineFault ? .machineFault : .codeEnded)
    }
    throw try failure(for: ThrownError(thrown), refused: trace.refusedPlaces)
  }

  /// Looks at the container before the app's code runs, or takes what a look has just found.
  func beginWatching(
    probing: Bool, in found: FileTree? = nil
  ) throws(StepFailure) -> ContainerWatch {
    let container = try directory()
    return try onDisk(try container.beginWatching(probing: probing, in: found))
  }

  /// Looks again and records what happened.
  @discardableResult
  mutating func endWatching(
    _ watch: ContainerWatch, isSeenToRun: Bool = true
  ) throws(StepFailure) -> ContainerTrace {
    let container = try directory()
    let trace = try onDisk(try container.endWatching(watch, known: tree))
    transcript.calls += trace.calls.map { Transcript.Call(step: currentStep, call: $0) }
    // Before the changes, which may make again what was looked for.
    for path in trace.foundMissing { notes.noteLook(for: path) }
    if isSeenToRun || !trace.changes.isEmpty || trace.tree != tree {
      try record(.changes(trace.changes), tree: trace.tree, in: .code)
    }
    for path in trace.marksOnMissing { try record(.markOnMissing(path)) }
    for path in trace.formerPathsUsed { try record(.staleURL(path, wrappedIn: nil)) }
    try noteUnavailableMarks(in: trace)
    return trace
  }

  /// Notes what the app's code was refused without its notice: it neither threw an error nor saved
  /// anything instead.
  private mutating func noteUnnoticedRefusal(in trace: ContainerTrace) throws(StepFailure) {
    guard let refused = trace.refusedPlaces.first,
      !trace.changes.contains(where: { isSave($0, in: trace.tree) })
    else { return }
    try record(.refused(refused, wrappedIn: nil))
  }

  /// Whether a change puts something into the container. What Foundation writes of the app's preferences
  /// does not count, nor does a directory: it may have been made for what was refused.
  private func isSave(_ change: FileTree.Change, in tree: FileTree) -> Bool {
    guard change.places, change.path.location != .preferences else { return false }
    if case .created(let path) = change { return tree[path]?.isDirectory != true }
    return true
  }

  /// Notes the items that the app's code has marked in a way that the system does not have, and
  /// in no other.
  private mutating func noteUnavailableMarks(in trace: ContainerTrace) throws(StepFailure) {
    var attempts = trace.marksUnavailable.map { ($0, ExclusionMark.resourceValue) }
    for case .marked(let path, let mark) in trace.changes
    where !profile.availableMarks.value.contains(mark) {
      attempts.append((path, mark))
    }
    var known: Set<ContainerPath> = []
    for (path, mark) in attempts where known.insert(path).inserted {
      if needsMark(path, in: trace.tree) { try record(.markUnavailable(path, mark)) }
    }
  }

  /// Whether an item is where a mark matters, and has none that the system knows, nor has a
  /// directory above it.
  private func needsMark(_ path: ContainerPath, in tree: FileTree) -> Bool {
    tree.contains(path) && !profile.mayPurge(path)
      && !(path.ancestors + [path]).contains { path in
        tree[path]?.marks.isDisjoint(with: profile.availableMarks.value) == false
      }
  }

  /// Notes in which modules marks by Foundation are seen.
  mutating func settleFoundationMarks() {
    switch runner.foundationMarks() {
    case .everyModule: transcript.stepsWithoutShim = []
    case .modules(let modules): transcript.modulesWithShim = modules
    }
  }

  /// The failure that an error of the app's code is; one that a rule can judge is noted for it.
  /// `refused` is what the code made or wrote where a device refuses it.
  mutating func failure(
    for error: ThrownError, refused: [ContainerPath] = []
  ) throws(StepFailure) -> StepFailure {
    if let mistake = error.argumentMistake {
      return StepFailure(mistakenArgument: error.message, at: mistake.position)
    }
    var failure = try understood(error, refused: refused)
    failure.callers = error.stack.callers
    return failure
  }

  private mutating func understood(
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
      // The look for it is noted, too, without the error.
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
      case .fileExists: try noteExisting(paths)
      case .noSuchFile:
        if try noteStaleLink(onTheWayTo: paths, wrappedIn: wrapper) {
          true
        } else {
          try noteMissing(paths, isRead: cause.isRead, wrappedIn: wrapper)
        }
      case .unavailable: paths.contains(where: hasMarkedInVain)
      default: false
      }
    return StepFailure(
      message, isReported ? .reported(.code) : .failed(.code), code: cause.code)
  }

  /// What a device refuses that an error is about; nil where it is about something else.
  private func refusal(
    among refused: [ContainerPath], in error: ThrownError, _ paths: [ContainerPath]
  ) -> ContainerPath? {
    guard let last = refused.last else { return nil }
    // A save is refused by the name of its temporary file, and the error has that of the file.
    let named = paths.first(where: profile.refuses)
    let above = refused.first { place in paths.contains(where: place.covers) }
    return named ?? above ?? (error.cause.code == nil ? last : nil)
  }

  private func deviceLength(of path: ContainerPath) -> Int {
    profile.backup.containerPathLength.value + path.bytes.count
  }

  /// Whether a path of the container fits a device, with the NUL that ends it.
  private func fits(_ path: ContainerPath) -> Bool {
    deviceLength(of: path) < ContainerPath.longestPath
  }

  /// What is said of a path that fits a device, and not this machine.
  private func tooLongHere(_ path: ContainerPath, in container: FakeContainer) -> String {
    let here = container.url.path.utf8.count + 1 + path.bytes.count
    return "the path is too long on this machine (\(here) bytes), but not on a device "
      + "(\(deviceLength(of: path)) bytes); set TMPDIR to a folder with a shorter path"
  }

  /// Notes the item that the app's code did not find; false where the error names none.
  private mutating func noteMissing(
    _ paths: [ContainerPath], isRead: Bool, wrappedIn wrapper: String?
  ) throws(StepFailure) -> Bool {
    if paths.contains(where: hasMarkedInVain) { return true }
    guard let path = paths.first(where: { !tree.contains($0) }) else { return false }
    let missing = path.ancestors.first { !tree.contains($0) } ?? path
    try record(
      isRead
        ? .readMissing(path, wrappedIn: wrapper) : .writeToMissing(missing, wrappedIn: wrapper))
    return true
  }

  /// Notes the item that is in the way of the app's code and that the app itself made, in a step in
  /// which it was killed; false if there is no such item.
  private mutating func noteExisting(_ paths: [ContainerPath]) throws(StepFailure) -> Bool {
    // Where an error names two, the second is where the first was to go.
    guard let path = paths.last, device.interruptedItems.made.contains(path) else { return false }
    try record(.foundOwnRemnant(path))
    return true
  }

  /// Whether the step that runs has set a mark on a path where nothing was, or one that the system
  /// does not have.
  private func hasMarkedInVain(_ path: ContainerPath) -> Bool {
    transcript.entries.reversed().prefix { $0.step == currentStep }.contains { entry in
      switch entry.event {
      case .markOnMissing(path), .markUnavailable(path, _): true
      default: false
      }
    }
  }
}

import BackupApp
import BackupContainer
import BackupDevice
import BackupFileTree
import Foundation

extension ScenarioRun {
  /// Runs the app's own code in the container, and records its changes. If `probing` is true, the
  /// kit hides existing marks meanwhile, to see whether the code sets marks itself.
  mutating func runCode(
    probing: Bool, in extensionIdentifier: String? = nil, _ code: @Sendable () async throws -> Void
  ) async throws(StepFailure) {
    let container = try requiredContainer()
    isDiskUncertain = true
    // If FileSystemTap records the code's changes, no probe is needed: FileSystemTap also records
    // each mark that the code sets.
    let watch = try beginWatching(probing: probing && !isRecording)
    var thrownError: (any Error)?
    do {
      try await container.runCode(
        extension: extensionIdentifier, inProcess: runner.host.runsInTestProcess
      ) {
        try await code()
      }
    } catch {
      thrownError = error
    }
    let watchResult = try endWatching(watch)
    let homeComplaints = container.takeHomeComplaints()
    transcript.doubts += homeComplaints.filter { !$0.isCertain }.map {
      Transcript.Doubt(step: currentStep, message: $0.text)
    }
    let certainComplaints = homeComplaints.filter(\.isCertain).map(\.text)
    if let message = (container.takeCodeComplaints() + certainComplaints).first {
      throw StepFailure(message, .notAllowed)
    }
    guard let thrownError else { return try recordUnnoticedRefusal(in: watchResult) }
    if let failure = thrownError as? AppFailure {
      throw StepFailure(
        container.makingPathsRelative(in: failure.description),
        failure.isMachineFault ? .machineFault : .codeEnded)
    }
    throw try failure(for: ThrownError(thrownError), refused: watchResult.refusedItems)
  }

  /// Takes a snapshot of the container before the app's code runs. `scannedTree` is the
  /// tree of the container, if the caller has just scanned the container.
  func beginWatching(
    probing: Bool, in scannedTree: FileTree? = nil
  ) throws(StepFailure) -> ContainerWatch {
    let container = try requiredContainer()
    return try failingStepOnError(
      try container.beginWatching(probing: probing, reusing: scannedTree))
  }

  /// Scans the container again, and records the changes since a snapshot.
  ///
  /// `hasRun` is true if the app's code has certainly run. An event is then recorded even without
  /// changes.
  @discardableResult
  mutating func endWatching(
    _ watch: ContainerWatch, codeHasRun: Bool = true
  ) throws(StepFailure) -> WatchResult {
    let container = try requiredContainer()
    let watchResult = try failingStepOnError(try container.endWatching(watch, known: tree))
    transcript.changeCalls += watchResult.changeCalls.map {
      Transcript.Call(step: currentStep, changeCall: $0)
    }
    // The code looked for these items, so it handles the case that they are missing. The notes
    // change before the changes are recorded, because the changes may create the items.
    for path in watchResult.soughtMissingItems { notes.forgetLostFiles(beside: path) }
    if codeHasRun || !watchResult.changes.isEmpty || watchResult.tree != tree {
      try record(.changes(watchResult.changes), tree: watchResult.tree, in: .code)
    }
    for path in watchResult.markedMissingItems { try record(.markOnMissing(path)) }
    for path in watchResult.usedFormerPaths { try record(.staleURL(path, wrappedIn: nil)) }
    try recordUnavailableMarks(in: watchResult)
    return watchResult
  }

  /// Records that a device refuses to create or write an item, if the app's code did not notice:
  /// the code threw no error, which the caller has checked, and saved no other file.
  private mutating func recordUnnoticedRefusal(in result: WatchResult) throws(StepFailure) {
    guard let refusedPath = result.refusedItems.first,
      !result.changes.contains(where: { isSave($0, in: result.tree) })
    else { return }
    try record(.refused(refusedPath, wrappedIn: nil))
  }

  /// Returns true for a change that saves a file. Preferences do not count, because Foundation
  /// writes them. Directories do not count either, because the app may create them for the refused
  /// item.
  private func isSave(_ change: FileTree.Change, in tree: FileTree) -> Bool {
    guard change.createsOrSavesItem, change.path.location != .preferences else { return false }
    if case .created(let path) = change { return tree[path]?.isDirectory != true }
    return true
  }

  /// Records the items that the app's code has marked, but only with marks that the iOS version
  /// does not have.
  private mutating func recordUnavailableMarks(in result: WatchResult) throws(StepFailure) {
    var unavailableMarks = result.unsupportedMarkItems.map { ($0, ExclusionMark.resourceValue) }
    for case .marked(let path, let mark) in result.changes
    where !profile.availableMarks.value.contains(mark) {
      unavailableMarks.append((path, mark))
    }
    var seenPaths: Set<ContainerPath> = []
    for (path, mark) in unavailableMarks where seenPaths.insert(path).inserted {
      if needsMark(path, in: result.tree) { try record(.markUnavailable(path, mark)) }
    }
  }

  /// Returns true if an item exists, iOS does not purge it, and neither the item nor a directory
  /// above it has a mark that the iOS version knows.
  private func needsMark(_ path: ContainerPath, in tree: FileTree) -> Bool {
    tree.contains(path) && !profile.mayPurge(path)
      && !(path.ancestors + [path]).contains { path in
        tree[path]?.marks.isDisjoint(with: profile.availableMarks.value) == false
      }
  }

  /// Records in which modules the kit sees the marks that code sets with Foundation: on Apple
  /// platforms in all modules, on Linux in those with the shim.
  mutating func recordWhereMarksAreSeen() {
    switch runner.visibleModules() {
    case .everyModule: transcript.stepsWithoutShim = []
    case .modules(let modules): transcript.modulesWithShim = modules
    }
  }

  /// Returns the failure for an error of the app's code, and records the event by which a rule can
  /// judge the error. `refusedPaths` has the items that a device refuses to create or write.
  mutating func failure(
    for error: ThrownError, refused refusedPaths: [ContainerPath] = []
  ) throws(StepFailure) -> StepFailure {
    if let mistake = error.argumentMistake {
      return StepFailure(mistakenArgument: error.message, at: mistake.position)
    }
    var failure = try classify(error, refused: refusedPaths)
    failure.returnAddresses = error.stack.callers
    return failure
  }

  private mutating func classify(
    _ error: ThrownError, refused refusedPaths: [ContainerPath]
  ) throws(StepFailure) -> StepFailure {
    let container = try requiredContainer()
    let cause = error.cause
    let errorText = container.makingPathsRelative(in: error.message)
    let foreignComplaint = cause.paths.lazy.compactMap(container.complaint(onForeignPath:)).first
    let isLaunch = circumstances.contains(.start) || currentStep.isOfLaunch
    let subjectPhrase = isLaunch ? "the app does not start: its launch" : "the app's code"
    let message =
      "\(subjectPhrase) threw: \(errorText)" + (foreignComplaint.map { "; \($0)" } ?? "")
    if !circumstances.contains(.fullStorage), let fault = error.machineFault {
      return StepFailure("\(message); \(fault)", .machineFault)
    }
    if let path = error.tooLongPaths.lazy.compactMap(container.containerPath)
      .first(where: fitsOnDevice)
    {
      return StepFailure("\(message); \(messageOnLongPath(path, in: container))", .machineFault)
    }
    let wrapperText = error.isWrapper ? errorText : nil
    if let path = cause.paths.lazy.compactMap(container.formerContainerPath).first {
      // Remove this event, which the run has already recorded without the error.
      transcript.entries.removeAll { entry in
        guard entry.step == currentStep, case .staleURL(path, wrappedIn: nil) = entry.event else {
          return false
        }
        return true
      }
      try record(.staleURL(path, wrappedIn: wrapperText))
      return StepFailure(message, .reported(.code), code: cause.code)
    }
    let paths = cause.paths.compactMap(container.containerPath)
    if let path = refusedPath(among: refusedPaths, in: error, paths) {
      try record(.refused(path, wrappedIn: cause.paths.isEmpty ? errorText : wrapperText))
      return StepFailure(message, .reported(.code), code: cause.code)
    }
    if cause.code == .noSuchFile,
      paths.contains(where: device.interruptedItems.removedItems.contains)
    {
      return StepFailure(message, .missedInterruptedItem, code: cause.code)
    }
    let isReportedByRule =
      switch cause.code {
      case .fileExists: try recordOwnRemnant(among: paths)
      case .noSuchFile:
        if try recordUsedStaleLink(onTheWayTo: paths, wrapperText: wrapperText) {
          true
        } else {
          try recordMissingItem(among: paths, isRead: cause.isRead, wrapperText: wrapperText)
        }
      case .unavailable: paths.contains(where: hasMarkedInVain)
      default: false
      }
    return StepFailure(
      message, isReportedByRule ? .reported(.code) : .failed(.code), code: cause.code)
  }

  /// Returns the refused item that an error is about; nil if the error is about another item.
  private func refusedPath(
    among refusedPaths: [ContainerPath], in error: ThrownError, _ paths: [ContainerPath]
  ) -> ContainerPath? {
    guard let lastRefusedPath = refusedPaths.last else { return nil }
    // In an atomic save, `refusedPaths` has the path of the temporary file, but the error names the
    // file to save. So a path in the error that the device would refuse comes first.
    let unwritablePath = paths.first(where: profile.refusesWriting)
    let coveringPath = refusedPaths.first { item in paths.contains(where: item.covers) }
    return unwritablePath ?? coveringPath ?? (error.cause.code == nil ? lastRefusedPath : nil)
  }

  private func byteCountOnDevice(of path: ContainerPath) -> Int {
    profile.backup.containerPathLength.value + path.bytes.count
  }

  /// Returns true if a path in the container is short enough for a device. The NUL at its end
  /// counts too.
  private func fitsOnDevice(_ path: ContainerPath) -> Bool {
    byteCountOnDevice(of: path) < ContainerPath.longestPath
  }

  /// Returns the message about a path that is short enough for a device, but too long for this
  /// machine.
  private func messageOnLongPath(_ path: ContainerPath, in container: FakeContainer) -> String {
    let byteCount = container.url.path.utf8.count + 1 + path.bytes.count
    return "the path is too long on this machine (\(byteCount) bytes), but not on a device "
      + "(\(byteCountOnDevice(of: path)) bytes); set TMPDIR to a folder with a shorter path"
  }

  /// Records the item that the app's code did not find. Returns false if the error names no missing
  /// item. If the code tried to mark the item, that event is already recorded, and the result is
  /// true.
  private mutating func recordMissingItem(
    among paths: [ContainerPath], isRead: Bool, wrapperText: String?
  ) throws(StepFailure) -> Bool {
    if paths.contains(where: hasMarkedInVain) { return true }
    guard let path = paths.first(where: { !tree.contains($0) }) else { return false }
    let topmostMissingPath = path.ancestors.first { !tree.contains($0) } ?? path
    try record(
      isRead
        ? .readMissing(path, wrappedIn: wrapperText)
        : .writeToMissing(topmostMissingPath, wrappedIn: wrapperText))
    return true
  }

  /// Records that the app's code could not create an item, because an interrupted step has already
  /// created it. Returns false if the error is about another item.
  private mutating func recordOwnRemnant(among paths: [ContainerPath]) throws(StepFailure) -> Bool {
    // If an error names two items, the second is the target.
    guard let path = paths.last, device.interruptedItems.createdItems.contains(path) else {
      return false
    }
    try record(.foundOwnRemnant(path))
    return true
  }

  /// Returns true if the current step has marked the missing item `path`, or has used a mark that
  /// the iOS version does not have.
  private func hasMarkedInVain(_ path: ContainerPath) -> Bool {
    transcript.entries.reversed().prefix { $0.step == currentStep }.contains { entry in
      switch entry.event {
      case .markOnMissing(path), .markUnavailable(path, _): true
      default: false
      }
    }
  }
}

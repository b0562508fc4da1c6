import AppContainer
import DeviceSimulation
import Foundation

extension ScenarioRun {
  /// Runs the app's own code in the container and records what it did there.
  mutating func watch(
    probing: Bool, _ code: @Sendable () async throws -> Void
  ) async throws(StepFailure) {
    let watch = try beginWatching(probing: probing)
    var thrown: (any Error)?
    do {
      try await FakeContainer.$current.withValue(container) { try await code() }
    } catch {
      thrown = error
    }
    try endWatching(watch)
    if let thrown { throw failure(for: thrown) }
  }

  /// Looks at the container before the app's code runs.
  func beginWatching(probing: Bool) throws(StepFailure) -> ContainerWatch {
    do throws(FakeContainerError) {
      return try container.beginWatching(probing: probing)
    } catch {
      throw StepFailure(error)
    }
  }

  /// Looks again and records what happened.
  mutating func endWatching(_ watch: ContainerWatch) throws(StepFailure) {
    let trace: ContainerTrace
    do throws(FakeContainerError) {
      trace = try container.endWatching(watch)
    } catch {
      throw StepFailure(error)
    }
    record(.changes(trace.changes), tree: trace.tree)
    for path in trace.marksOnMissing { note(.markOnMissing(path)) }
    for path in trace.formerPathsUsed { note(.staleURL(path)) }
    for case .marked(let path, let mark) in trace.changes
    where !profile.availableMarks.value.contains(mark) {
      note(.markUnavailable(path, mark))
    }
  }

  /// The failure that an error of the app's code is; one that a rule can judge is noted for it.
  private mutating func failure(for error: any Error) -> StepFailure {
    let cause = ThrownError(error)
    let message = "the app's code threw: \(cause.message)"
    if let path = cause.path.flatMap(container.formerContainerPath) {
      note(.staleURL(path))
      return StepFailure(message, code: cause.code, isReportedByRule: true)
    }
    guard let path = cause.path.flatMap(container.containerPath), cause.code == .noSuchFile else {
      return StepFailure(message, code: cause.code)
    }
    if transcript.records.contains(where: { $0.isMarkOnMissing(path, at: currentStep) }) {
      return StepFailure(message, code: cause.code, isReportedByRule: true)
    }
    guard cause.isRead else { return StepFailure(message, code: cause.code) }
    note(.readMissing(path))
    return StepFailure(message, code: cause.code, isReportedByRule: true)
  }
}

extension Record {
  /// Whether it says that a step set a mark on a missing item.
  fileprivate func isMarkOnMissing(_ path: ContainerPath, at step: StepReference) -> Bool {
    if case .markOnMissing(path) = event { self.step == step } else { false }
  }
}

/// An error of the app's code, as far as the kit understands it.
struct ThrownError {
  /// The kind of failure, for `throws`; nil for one of the app's own.
  let code: FileOperationError.Code?
  /// The absolute path it is about, nil where it names none.
  let path: String?
  /// Whether it came from reading.
  let isRead: Bool
  /// The error in words.
  let message: String

  /// Understands an error by its Cocoa or POSIX code.
  init(_ error: any Error) {
    let cocoa = error as NSError
    let isCocoa = cocoa.domain == NSCocoaErrorDomain
    let number = isCocoa ? CocoaError.Code(rawValue: cocoa.code) : nil
    let posix = cocoa.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: cocoa.code) : nil
    self.isRead = number == .fileReadNoSuchFile || posix == ENOENT
    if number == .fileReadNoSuchFile || number == .fileNoSuchFile || posix == ENOENT {
      self.code = .noSuchFile
    } else if number == .fileWriteFileExists || posix == EEXIST {
      self.code = .fileExists
    } else {
      self.code = (error as? FileOperationError)?.code
    }
    let url = cocoa.userInfo[NSURLErrorKey] as? URL
    self.path = cocoa.userInfo[NSFilePathErrorKey] as? String ?? url?.path
    self.message = isCocoa ? cocoa.localizedDescription : "\(error)"
  }
}

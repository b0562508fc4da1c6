import CBackupProcess
import Foundation

/// The containers that are open, and those in which the app's code runs.
///
/// A *lookup* is a call of the app's code that asks Foundation for a directory of the app. If the
/// lookup is made on a thread without a container, this class decides whether the thread should
/// have a container.
package final class OpenContainers: Sendable {
  /// The meaning of a lookup on a thread without a container.
  package enum LookUpOutcome: Hashable, Sendable {
    /// The app's code runs in no container, so the lookup needs none.
    case unrelated
    /// One container is open, and the app's code runs in it. The kit complains when that code has
    /// ended.
    case noted
    /// Several containers are open, and it is unknown in which one the code should run.
    case ambiguous
  }

  private struct State {
    /// The number of open containers.
    var openCount = 0
    /// The containers in which the app's code runs. Several calls may run code in one container,
    /// nested or at the same time.
    var containersRunningCode: [ObjectIdentifier: (container: FakeContainer, callCount: Int)] = [:]
    /// The number of times that the app's code has begun to run in a container.
    var codeStartCount = 0
    /// The folders of the devices that were removed most recently, the newest last.
    var removedDevices: [URL] = []
  }

  /// The number of removed folders that the kit remembers. A few are enough: code that stores the
  /// path of one test is usually called again by the next test.
  private static let removedFolderLimit = 100

  package static let shared = OpenContainers()

  private let state = Locked(State())

  func open() {
    state.withLock { $0.openCount += 1 }
  }

  /// Closes a container. `device` is the folder of its device, or nil if the folder stays on disk.
  func close(removing device: URL?) {
    state.withLock { state in
      state.openCount -= 1
      guard let device else { return }
      state.removedDevices.append(device)
      state.removedDevices.removeFirst(max(0, state.removedDevices.count - Self.removedFolderLimit))
    }
  }

  /// Returns the folders of removed devices. `atMostOneRunsCode` is true if the app's code runs in
  /// at most one container.
  func removedDevices() -> (folders: [URL], atMostOneRunsCode: Bool) {
    state.withLock { ($0.removedDevices, $0.containersRunningCode.count <= 1) }
  }

  /// The number of times that the app's code has begun to run in a container; nil unless the code
  /// now runs in exactly one container.
  var codeStartCountIfAlone: Int? {
    state.withLock { $0.containersRunningCode.count == 1 ? $0.codeStartCount : nil }
  }

  /// Notes that the app's code has begun to run in a container.
  func codeBegan(in container: FakeContainer) {
    state.withLock { state in
      state.codeStartCount += 1
      state.containersRunningCode[ObjectIdentifier(container), default: (container, 0)].callCount +=
        1
    }
  }

  /// Notes that the app's code has ended in a container.
  func codeEnded(in container: FakeContainer) {
    state.withLock { state in
      let key = ObjectIdentifier(container)
      state.containersRunningCode[key]?.callCount -= 1
      if state.containersRunningCode[key]?.callCount == 0 { state.containersRunningCode[key] = nil }
    }
  }

  /// Reports a lookup on a thread without a container. If only one container is open, and the app's
  /// code runs in it, this container keeps the lookup for a complaint.
  package func noteLostLookUp(_ call: String) -> LookUpOutcome {
    state.withLock { state in
      guard let candidate = state.containersRunningCode.values.first else { return .unrelated }
      guard state.openCount == 1, state.containersRunningCode.count == 1 else { return .ambiguous }
      candidate.container.lostLookUps.withLock { $0.append(call) }
      return .noted
    }
  }
}

extension FakeContainer {
  /// Runs code of the app or of an extension with this container as ``current``.
  ///
  /// Pass true for `isInTestProcess` if the code runs in the test's process. The kit then watches
  /// the process's home, and notes which code throws errors. FileSystemTap notes which code changes
  /// the container.
  package func runCode<Result>(
    extension identifier: String? = nil, inProcess isInTestProcess: Bool = false,
    isolation: isolated (any Actor)? = #isolation, _ code: () async throws -> Result
  ) async rethrows -> Result {
    openContainers.codeBegan(in: self)
    if isInTestProcess {
      beginWatchingHome()
      cpr_note_calls(deviceFolder.url.path, 1)
      cpr_note_throws()
    }
    defer { if isInTestProcess { cpr_note_calls(deviceFolder.url.path, 0) } }
    defer { openContainers.codeEnded(in: self) }
    defer { endWatchingHome() }
    defer { removeStrays() }
    return try await Self.$taskLocal.withValue(self) {
      try await Self.$currentExtension.withValue(identifier) { try await code() }
    }
  }

  /// Returns and clears the complaints about the app's code. These are about lookups on threads
  /// without a container, and about items that the code created in removed containers.
  package func takeCodeComplaints() -> [String] {
    let strayComplaints = strayComplaints.exchange(for: [])
    let calls = lostLookUps.exchange(for: [])
    var seenCalls: Set<String> = []
    return calls.filter { seenCalls.insert($0).inserted }.map(Self.complaint(onLostLookUp:))
      + strayComplaints
  }

  package static func complaint(onLostLookUp call: String) -> String {
    "\(call) was called on a thread without a container, so Foundation returned a path of this "
      + "machine: the code runs in Task.detached, in a dispatch queue, or on another thread. "
      + "Start a Task, which inherits its parent's container, or pass the container's root to "
      + "that code"
  }
}

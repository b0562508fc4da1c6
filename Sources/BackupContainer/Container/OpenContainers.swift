import CBackupProcess
import Foundation

/// The containers that are open, and those in which the app's code runs.
///
/// With them, the kit distinguishes a lookup on a thread that should have a container from one that
/// needs none.
package final class OpenContainers: Sendable {
  /// The outcome of a lookup that found no container.
  package enum LookUpOutcome: Hashable, Sendable {
    /// No code of the app's runs in a container, so none is missing.
    case unrelated
    /// One container is open, and the app's code runs in it; the call that runs the code reports
    /// it.
    case noted
    /// Several are open, and which one was meant is unknown.
    case ambiguous
  }

  private struct State {
    var count = 0
    /// The containers in which the app's code runs, each with the number of calls that run it,
    /// nested or at the same time.
    var occupied: [ObjectIdentifier: (container: FakeContainer, calls: Int)] = [:]
    /// The number of times that the app's code has begun to run in a container.
    var entryCount = 0
    /// The folders of the devices that were removed last, the newest last.
    var removed: [URL] = []
  }

  /// The number of removed folders that the kit remembers. Code that keeps a path of an earlier
  /// test is usually called again by the next test.
  private static let mostRemoved = 100

  package static let shared = OpenContainers()

  private let state = Locked(State())

  func open() {
    state.withLock { $0.count += 1 }
  }

  /// Stops counting a container that was released, or removed with its device's folder.
  func close(removing device: URL?) {
    state.withLock { state in
      state.count -= 1
      guard let device else { return }
      state.removed.append(device)
      state.removed.removeFirst(max(0, state.removed.count - Self.mostRemoved))
    }
  }

  /// Returns the folders of removed devices. `isOneOccupied` is true if the app's code runs in at
  /// most one container.
  func removedDevices() -> (folders: [URL], isOneOccupied: Bool) {
    state.withLock { ($0.removed, $0.occupied.count <= 1) }
  }

  /// The number of times that the app's code has begun to run in a container; nil unless it runs in
  /// exactly one.
  var entryCountIfSingle: Int? {
    state.withLock { $0.occupied.count == 1 ? $0.entryCount : nil }
  }

  func enter(_ container: FakeContainer) {
    state.withLock { state in
      state.entryCount += 1
      state.occupied[ObjectIdentifier(container), default: (container, 0)].calls += 1
    }
  }

  func leave(_ container: FakeContainer) {
    state.withLock { state in
      let key = ObjectIdentifier(container)
      state.occupied[key]?.calls -= 1
      if state.occupied[key]?.calls == 0 { state.occupied[key] = nil }
    }
  }

  /// Notes a lookup on a thread without a container, for the container whose code must have made
  /// it.
  package func noteLostLookUp(_ call: String) -> LookUpOutcome {
    state.withLock { state in
      guard let only = state.occupied.values.first else { return .unrelated }
      guard state.count == 1, state.occupied.count == 1 else { return .ambiguous }
      only.container.lostLookUps.withLock { $0.append(call) }
      return .noted
    }
  }
}

extension FakeContainer {
  /// Runs code of the app's, or of an extension, with this container as the current one.
  ///
  /// If `isInProcess`, the code runs in this process: the kit watches the process's home, and FileSystemTap
  /// notes which code changes the container. The process notes which code throws errors.
  package func running<Result>(
    extension identifier: String? = nil, inProcess isInProcess: Bool = false,
    isolation: isolated (any Actor)? = #isolation, _ code: () async throws -> Result
  ) async rethrows -> Result {
    openContainers.enter(self)
    if isInProcess {
      beginWatchingHome()
      cpr_note_calls(folder.url.path, 1)
      cpr_note_throws()
    }
    defer { if isInProcess { cpr_note_calls(folder.url.path, 0) } }
    defer { openContainers.leave(self) }
    defer { endWatchingHome() }
    defer { noteStrays() }
    return try await Self.$ofTask.withValue(self) {
      try await Self.$currentExtension.withValue(identifier) { try await code() }
    }
  }

  /// Returns and clears the complaints about the app's code: one for each lookup on a thread
  /// without a container, and one for each item that it created in a removed container.
  package func takeLostLookUps() -> [String] {
    let strays = strays.exchange(for: [])
    let calls = lostLookUps.exchange(for: [])
    var seen: Set<String> = []
    return calls.filter { seen.insert($0).inserted }.map(Self.complaint(onLostLookUp:)) + strays
  }

  package static func complaint(onLostLookUp call: String) -> String {
    "\(call) was called on a thread without a container, so Foundation returned a path of this "
      + "machine: the code runs in Task.detached, in a dispatch queue, or on another thread. "
      + "Start a Task, which inherits its parent's container, or pass the container's root to "
      + "that code"
  }
}

import CBackupProcess
import Foundation

/// The containers that are open, and those in which the app's code runs.
///
/// They distinguish a look-up on a thread that should have a container from one that needs none.
package final class OpenContainers: Sendable {
  /// What became of a look-up that found no container.
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
    /// Those in which the app's code runs, and how many calls run it, one within another or beside
    /// it.
    var occupied: [ObjectIdentifier: (container: FakeContainer, calls: Int)] = [:]
    /// How often code of the app's has begun to run in one.
    var entryCount = 0
    /// The folders of the devices that were removed last, the newest last.
    var removed: [URL] = []
  }

  /// How many of these are looked for: what keeps a path of an earlier test is most often used by
  /// the next.
  private static let mostRemoved = 100

  package static let shared = OpenContainers()

  private let state = Locked(State())

  func open() {
    state.withLock { $0.count += 1 }
  }

  /// Leaves out a container that was let go, or removed with its device's folder.
  func close(removing device: URL?) {
    state.withLock { state in
      state.count -= 1
      guard let device else { return }
      state.removed.append(device)
      state.removed.removeFirst(max(0, state.removed.count - Self.mostRemoved))
    }
  }

  /// The folders of removed devices, and whether the app's code runs in one container at most.
  func removedDevices() -> (folders: [URL], isOneOccupied: Bool) {
    state.withLock { ($0.removed, $0.occupied.count <= 1) }
  }

  /// How often code of the app's has begun to run in a container; nil if it runs in several.
  var entriesOfOnly: Int? {
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

  /// Notes a look-up on a thread that has no container, for the one whose code must have made it.
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
  /// notes which code changes the container.
  package func running<Result>(
    extension identifier: String? = nil, inProcess isInProcess: Bool = false,
    isolation: isolated (any Actor)? = #isolation, _ code: () async throws -> Result
  ) async rethrows -> Result {
    neighbours.enter(self)
    if isInProcess {
      beginWatchingHome()
      cpr_note_calls(folder.url.path, 1)
    }
    defer { if isInProcess { cpr_note_calls(folder.url.path, 0) } }
    defer { neighbours.leave(self) }
    defer { endWatchingHome() }
    defer { noteStrays() }
    return try await Self.$ofTask.withValue(self) {
      try await Self.$currentExtension.withValue(identifier) { try await code() }
    }
  }

  /// A sentence on each thing that the app's code has since asked for on a thread that has no
  /// container, or made where a container was; once for each.
  package func takeLostLookUps() -> [String] {
    let strays = strays.exchange(for: [])
    let calls = lostLookUps.exchange(for: [])
    var known: Set<String> = []
    return calls.filter { known.insert($0).inserted }.map(Self.complaint(onLostLookUp:)) + strays
  }

  package static func complaint(onLostLookUp call: String) -> String {
    "\(call) was called on a thread without a container, so Foundation returned a path of this "
      + "machine: the code runs in Task.detached, in a dispatch queue, or on another thread. "
      + "Start a Task, which inherits its parent's container, or pass the container's root to "
      + "that code"
  }
}

#if os(macOS) || os(Linux)
import Foundation

/// A named pipe by which a test sees what a process that has it open writes, and whether it lives.
///
/// Each wait is for the process; if nothing comes for an hour, it is given up.
final class Writers: Sendable {
  /// How long is waited at most, in milliseconds.
  private static let patience: Int32 = 3_600_000

  let path: String
  /// The end that the test reads from.
  private let descriptor: Int32

  /// Makes a pipe in a folder and opens it.
  init(in folder: URL) throws {
    path = folder.appendingPathComponent("pipe").path
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
  }

  deinit {
    close(descriptor)
  }

  /// What a process writes first, nil where none writes; then it has the pipe open.
  func firstWords() async -> String? {
    await onThread { [self] in
      var chunk = [UInt8](repeating: 0, count: 4096)
      guard isReady() else { return nil }
      let count = read(descriptor, &chunk, chunk.count)
      return count > 0 ? String(decoding: chunk.prefix(count), as: UTF8.self) : nil
    }
  }

  /// What else is written, once nobody has the pipe open for writing; nil where somebody still has.
  func wordsToTheEnd() async -> String? {
    await onThread { [self] in
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        if count > 0 { bytes += chunk.prefix(count) }
        guard count > 0 || (errno == EAGAIN && isReady()) else { return nil }
      }
    }
  }

  /// Waits until something can be read, or nobody writes any more.
  private func isReady() -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Self.patience) > 0
  }
}

/// Does what blocks on a thread of its own, so that other tests go on.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
#endif

#if os(macOS) || os(Linux)
import Foundation

/// A named pipe that processes open for writing. It shows a test their output, and whether they
/// live.
///
/// Each wait ends after an hour at the latest.
final class OutputPipe: Sendable {
  /// The longest wait, in milliseconds.
  private static let timeout: Int32 = 3_600_000

  let path: String
  /// The end that the test reads from.
  private let descriptor: Int32

  /// Creates a pipe in a folder, and opens it for reading.
  init(in folder: URL) throws {
    path = folder.appendingPathComponent("pipe").path
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
  }

  deinit {
    close(descriptor)
  }

  /// Waits for output, and returns it. Nil means that no process writes.
  ///
  /// A process that has written has opened the pipe.
  func firstOutput() async -> String? {
    await runOnThread { [self] in
      var chunk = [UInt8](repeating: 0, count: 4096)
      guard waitUntilReadable() else { return nil }
      let count = read(descriptor, &chunk, chunk.count)
      return count > 0 ? String(decoding: chunk.prefix(count), as: UTF8.self) : nil
    }
  }

  /// Waits until no process has the pipe open for writing, and returns the remaining output.
  ///
  /// The result is nil if a process still has the pipe open.
  func outputUntilClosed() async -> String? {
    await runOnThread { [self] in
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        if count > 0 { bytes += chunk.prefix(count) }
        guard count > 0 || (errno == EAGAIN && waitUntilReadable()) else { return nil }
      }
    }
  }

  /// Waits for output, or until no process has the pipe open. Returns false after the timeout.
  private func waitUntilReadable() -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Self.timeout) > 0
  }
}

/// Runs a blocking closure on its own thread, so that other tests can continue.
func runOnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
#endif

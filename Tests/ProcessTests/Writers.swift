import Foundation

/// A named pipe by which a test sees whether a process that has it open still lives.
final class Writers {
  /// The pipe's path.
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

  /// What was written, once nobody has the pipe open for writing; nil where somebody still does
  /// after ten seconds.
  func writtenToTheEnd() -> String? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if count == 0 {
        return String(decoding: bytes, as: UTF8.self)
      } else {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard errno == EAGAIN, poll(&polled, 1, 10_000) > 0 else { return nil }
      }
    }
  }
}

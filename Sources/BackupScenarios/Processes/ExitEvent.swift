internal import CBackupProcess
import Foundation

/// A pipe that wakes the thread which follows a tool.
final class ExitEvent: Sendable {
  /// Why it rings.
  enum Ring: UInt8, Sendable {
    /// The tool has ended and waits to be reaped.
    case ended
    /// The tool has ended, and was reaped by somebody else.
    case lost
    /// The test was cancelled.
    case cancelled
    /// Its time is over.
    case timeLimit
  }

  /// What can be polled.
  let descriptor: Int32
  /// What is written to.
  private let writingEnd: Int32

  /// Makes the pipe, for a tool of this name.
  init(for tool: String) throws(ProcessError) {
    var ends: [Int32] = [0, 0]
    let error = cpr_pipe(&ends)
    guard error == 0 else { throw ProcessError(error, starting: tool) }
    self.descriptor = ends[0]
    self.writingEnd = ends[1]
  }

  deinit {
    close(descriptor)
    close(writingEnd)
  }

  /// Wakes the thread.
  func ring(_ ring: Ring) {
    var byte = ring.rawValue
    while write(writingEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits for it to ring.
  func next() -> Ring {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0, errno == EINTR {}
    return Ring(rawValue: byte) ?? .lost
  }
}

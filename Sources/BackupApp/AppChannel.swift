import CBackupProcess
package import Foundation

/// One end of the connection between a test and the app's process. Four fixed bytes and the length
/// of the message precede each message.
package final class AppChannel: Sendable {
  /// The size of the largest message in bytes.
  package static let largestMessageSize = 1 << 28
  /// The exit status of an app's process whose connection was closed.
  package static let connectionLossStatus = Int32(CPR_CHANNEL)

  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Returns the end that this process was started with. Children of this process do not inherit
  /// it, so that they cannot keep the connection open. When the process at the other end has ended,
  /// ``receive()`` returns nil.
  package static func ofThisProcess() -> AppChannel {
    cpr_keep_from_children(Int32(CPR_CHANNEL))
    return AppChannel(descriptor: Int32(CPR_CHANNEL))
  }

  static func makePair() throws(AppFailure) -> (AppChannel, AppChannel) {
    var ends: [Int32] = [0, 0]
    let error = cpr_channel(&ends)
    guard error == 0 else {
      throw AppFailure(
        "the kit cannot create a socket for the app's process: \(String(cString: strerror(error)))",
        because: error)
    }
    return (AppChannel(descriptor: ends[0]), AppChannel(descriptor: ends[1]))
  }

  /// Sends a message.
  ///
  /// - Returns: 0 or an error number, EPIPE or ECONNRESET if the other end is closed.
  @discardableResult
  package func send(_ message: Data) -> Int32 {
    let length = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Data($0) }
    return (Self.messageStart + length + message).withUnsafeBytes {
      cpr_send(descriptor, $0.baseAddress, $0.count)
    }
  }

  /// Closes the connection at both ends, in all processes that have it open.
  func hangUp() { cpr_hang_up(descriptor) }

  /// Waits until the messages that have arrived are read, and then closes the connection at both
  /// ends.
  func hangUpWhenRead() {
    cpr_wait_until_read(descriptor)
    hangUp()
  }

  /// The four bytes before each message. If other bytes arrive there, the app's code has written to
  /// the connection.
  private static let messageStart = Data([0xB7, 0x5B, 0x1E, 0xD3])

  /// Waits for a message, and returns it. Returns nil if the other end is closed.
  ///
  /// - Throws: ``AppEnd/invalidMessage`` for anything but a message.
  package func receive() throws(AppEnd) -> Data? {
    guard let firstBytes = receive(count: 4) else { return nil }
    guard firstBytes == Self.messageStart else { throw .invalidMessage }
    guard let lengthBytes = receive(count: 4) else { return nil }
    let length = lengthBytes.reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.largestMessageSize else { throw .invalidMessage }
    return receive(count: length)
  }

  private func receive(count: Int) -> Data? {
    var data = Data(count: count)
    var receivedCount = 0
    while receivedCount < count {
      let readCount = data.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: receivedCount), count - receivedCount)
      }
      if readCount < 0, errno == EINTR { continue }
      // A connection that cannot be read counts as closed.
      guard readCount > 0 else { return nil }
      receivedCount += readCount
    }
    return data
  }
}

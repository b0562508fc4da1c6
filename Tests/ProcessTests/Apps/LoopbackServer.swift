#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation

/// An HTTP server on 127.0.0.1 that answers every request with the same text.
final class LoopbackServer: Sendable {
  let port: Int
  private let listener: Int32

  /// Starts a server on a free port.
  init(answering text: String) throws {
    let listener = socket(AF_INET, LoopbackServer.stream, 0)
    guard listener >= 0 else { throw POSIXError(.EMFILE) }
    var address = Self.address(of: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      guard let address, bind(listener, address, length) == 0, listen(listener, 8) == 0 else {
        return false
      }
      return getsockname(listener, address, &length) == 0
    }
    guard isListening else {
      close(listener)
      throw POSIXError(.EADDRINUSE)
    }
    self.listener = listener
    self.port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Self.answer(client, text)
      }
    }
  }

  /// Whether the machine can connect to 127.0.0.1. In some network namespaces of Linux, it cannot.
  static let canBeReached: Bool = {
    guard let server = try? LoopbackServer(answering: "") else { return false }
    let client = socket(AF_INET, stream, 0)
    defer { close(client) }
    var serverAddress = address(of: server.port)
    return withUnsafeBytes(of: &serverAddress) { bytes in
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return connect(client, address, socklen_t(bytes.count)) == 0
    }
  }()

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The address 127.0.0.1 with a port. Port 0 stands for any free port.
  private static func address(of port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }

  /// The socket type `SOCK_STREAM`, which is an integer on Darwin and an enumeration case on Linux.
  private static let stream = Int32(truncatingIfNeeded: number(ofSocketType: SOCK_STREAM))

  private static func answer(_ client: Int32, _ text: String) {
    var request: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !request.contains(Array("\r\n\r\n".utf8)) {
      let count = read(client, &chunk, chunk.count)
      guard count > 0 else { break }
      request += chunk.prefix(count)
    }
    let answer =
      "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
    _ = cpr_send(client, answer, answer.utf8.count)
    close(client)
  }
}

/// The number of a socket type on Darwin.
private func number(ofSocketType type: Int32) -> UInt32 { UInt32(bitPattern: type) }

/// The number of a socket type on Linux.
private func number(ofSocketType type: some RawRepresentable<UInt32>) -> UInt32 { type.rawValue }
#endif

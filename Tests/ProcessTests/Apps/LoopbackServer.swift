#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation

/// Answers every HTTP request on a port of this machine's own address with the same text.
final class LoopbackServer: Sendable {
  let port: Int
  private let listener: Int32

  /// A server that has begun to listen.
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

  /// Whether this machine can be reached by its own address, which a network of its own may not give.
  static let canBeReached: Bool = {
    guard let server = try? LoopbackServer(answering: "") else { return false }
    let client = socket(AF_INET, stream, 0)
    defer { close(client) }
    var place = address(of: server.port)
    return withUnsafeBytes(of: &place) { bytes in
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return connect(client, address, socklen_t(bytes.count)) == 0
    }
  }()

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// A port of this machine's own address; 0 for any that is free.
  private static func address(of port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }

  /// The kind of socket, an enumeration's case on Linux.
  private static let stream = Int32(truncatingIfNeeded: streamKind(SOCK_STREAM))

  /// Reads a request and answers it.
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

/// The number of a kind of socket, as Darwin has it.
private func streamKind(_ kind: Int32) -> UInt32 { UInt32(bitPattern: kind) }

/// The number of a kind of socket, as Linux has it.
private func streamKind(_ kind: some RawRepresentable<UInt32>) -> UInt32 { kind.rawValue }
#endif

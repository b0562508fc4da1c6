package import Foundation

/// What crosses between the test and the app: a number, and what is said as JSON behind it; nothing
/// where there is nothing to say, as mostly, since JSON is what a message costs.
///
/// An answer has the number of its request. The app's code may write to the connection too, and what
/// it writes must not pass for an answer.
package struct AppMessage<Content: AppMessageContent>: Sendable {
  /// The number of the request, from 1; 0 for the word that the process is there.
  package let number: Int
  package let content: Content

  package init(_ number: Int, _ content: Content) {
    self.number = number
    self.content = content
  }

  /// Reads a message; nil if the data is not a message.
  package init?(_ data: Data) {
    guard data.count >= Self.headSize else { return nil }
    let head = data.prefix(Self.headSize).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let body = data.dropFirst(Self.headSize)
    let content = body.isEmpty ? Content() : try? JSONDecoder().decode(Content.self, from: body)
    guard let content else { return nil }
    self.init(Int(truncatingIfNeeded: head), content)
  }

  /// The message as it is sent.
  ///
  /// - Throws: What the encoder throws.
  package func data() throws -> Data {
    let head = withUnsafeBytes(of: UInt64(truncatingIfNeeded: number).bigEndian) { Data($0) }
    return content.isNothing ? head : try head + JSONEncoder().encode(content)
  }

  /// How many bytes the number takes.
  private static var headSize: Int { MemoryLayout<UInt64>.size }
}

package protocol AppMessageContent: Codable, Sendable {
  init()

  var isNothing: Bool { get }
}

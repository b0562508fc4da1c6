import Foundation

extension [String] {
  /// Lends the texts to C, with NULL after the last.
  package func withCStrings<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    map { Data($0.utf8) }.withCStrings(body)
  }
}

extension [Data] {
  /// Lends the bytes to C, each with a NUL behind it, and NULL after the last.
  package func withCStrings<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { preconditionFailure("an array with a NULL") }
      return body(first)
    }
  }
}

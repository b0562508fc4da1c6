package import Foundation

/// Strings as C has them.
package enum CStrings {
  /// Lends strings, with NULL after the last.
  package static func lending<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    lending(strings.map { Data($0.utf8) }, body)
  }

  /// Lends bytes, each with a NUL behind it, and NULL after the last.
  package static func lending<Result>(
    _ strings: [Data], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { preconditionFailure("an array with a NULL") }
      return body(first)
    }
  }
}

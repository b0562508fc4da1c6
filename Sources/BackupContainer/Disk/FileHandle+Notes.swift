import Foundation

extension FileHandle {
  /// Writes a note for a person to standard error. An error is ignored, because nobody would see
  /// it.
  package static func note(_ text: String) {
    try? standardError.write(contentsOf: Data(text.utf8))
  }
}

import Foundation

extension FileHandle {
  /// Writes a note for a person to standard error. If it cannot be written, there is nobody to tell.
  package static func note(_ text: String) {
    try? standardError.write(contentsOf: Data(text.utf8))
  }
}

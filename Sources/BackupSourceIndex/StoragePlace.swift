/// A place in an app's source that uses storage.
package struct StoragePlace: Encodable, Sendable {
  package let use: StorageUse
  /// As in `FileManager.moveItem(at:to:)`.
  package let api: String
  /// As in `MovieStore.keep(_:as:)`; empty outside of functions and properties.
  package let function: String
  /// Relative to the working directory, or absolute.
  package let file: String
  package let line: Int
  /// From 1, in bytes.
  package let column: Int
  /// The compiler's identifier of the function.
  package let functionID: String
}

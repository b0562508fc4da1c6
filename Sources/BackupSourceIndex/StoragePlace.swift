/// A place in an app's source that uses storage.
package struct StoragePlace: Encodable, Sendable {
  package let use: StorageUse
  /// The full name, for example `FileManager.moveItem(at:to:)`.
  package let api: String
  /// The name of the function or property around the place, for example `MovieStore.keep(_:as:)`.
  /// Empty if there is none.
  package let function: String
  /// The path, relative to the working directory or absolute.
  package let file: String
  package let line: Int
  /// The column in bytes, from 1.
  package let column: Int
  /// The compiler's identifier (USR) of ``function``.
  package let functionID: String
}

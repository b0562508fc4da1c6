import Foundation

/// Notes what processes change in a container, by a library that they are started with.
struct ChangeRecorder: Sendable {
  let library: TapLibrary
  /// The file that takes the notes, beside the container.
  let log: URL
}

/// What a process of the app's may remember.
///
/// One that has just been started knows nothing yet. One that has done something since is taken to
/// know what any other would know that had come to the same container.
enum AppMemory: Hashable, Sendable {
  /// There is no process.
  case none
  /// It has done nothing but to start.
  case new
  /// It has performed an action since.
  case old
}

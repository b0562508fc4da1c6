extension FakeContainer {
  /// The container that code of this task runs in: set while a bound action runs, and in a test with
  /// the `.container` trait; nil elsewhere. Child tasks have it too, detached ones do not.
  @TaskLocal public static var current: FakeContainer?
}

package enum Kit {
  /// The version of the kit and its tool. `--version` prints it, and reports contain it.
  package static let version = "0.1.0"
}

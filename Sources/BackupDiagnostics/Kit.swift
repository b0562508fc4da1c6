package enum Kit {
  /// The version of the tool and the kit, which `--version` prints and records contain.
  package static let version = "0.1.0"
}

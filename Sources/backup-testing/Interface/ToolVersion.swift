/// The version of the tool, which is that of the kit.
enum ToolVersion {
  /// What `--version` prints, and what records say.
  static let current = "0.1.0"
}

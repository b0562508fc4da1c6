import BackupFileTree

/// `copy: PATH, to: PATH`: with all in it and every mark.
struct CopyStep: TwoPathStep {
  static let keyword = "copy"

  /// The item and where its copy goes.
  let paths: TwoPaths

  var operation: FileOperation { .copy(paths.first, to: paths.second) }
}

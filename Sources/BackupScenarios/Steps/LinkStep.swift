import BackupFileTree

/// `link: PATH, to: PATH`: makes a symbolic link at the first path that points to the second.
struct LinkStep: TwoPathStep {
  static let keyword = "link"

  /// The link and what it points to, which need not be there.
  let paths: TwoPaths

  var operation: FileOperation { .link(paths.first, destination: paths.second) }
}

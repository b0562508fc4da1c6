import BackupContainer
import BackupDiagnostics

/// What a link points to, in words that are the same in each run.
package enum LinkTarget {
  /// What stands for the directory of a container, which has another path in each run.
  private static let container = "CONTAINER"

  /// The words for what the file system stores.
  ///
  /// - Parameter target: The path that the link holds.
  /// - Returns: The path, escaped; one into a container begins with `CONTAINER`.
  package static func text(_ target: [UInt8]) -> String {
    let text = EscapedText.escape(target)
    return FakeContainer.pathInAnyContainer(text).map { "\(container)/\($0)" } ?? text
  }
}

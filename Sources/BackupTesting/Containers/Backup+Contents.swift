public import BackupContainer
import BackupDevice
import BackupFileTree
public import BackupScenarios
public import Testing

extension FakeContainer.Backup {
  /// Whether an item is in the backup.
  ///
  /// ```swift
  /// #expect(!backup.contains("Library/Application Support/Movies/1.mp4"))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The item, relative to the container; what is no such path is recorded as an issue.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: Whether it is; false for what is no path.
  public func contains(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    do throws(ContainerPathError) {
      return contents.contains(try ContainerPath(path))
    } catch {
      TestIssue.record("the path \(error)", at: sourceLocation)
      return false
    }
  }
}

extension FakeContainer.Backup: Equatable {
  /// Whether both hold the same files of the same sizes, and leave out the same for the same
  /// reasons.
  public static func == (left: FakeContainer.Backup, right: FakeContainer.Backup) -> Bool {
    left.differences(from: right).isEmpty
  }
}

extension FakeContainer.Backup: CustomStringConvertible, CustomTestStringConvertible {
  /// A line for each file and each item left out, with the reason.
  public var description: String { contents.description }

  /// The same, as Swift Testing shows it.
  public var testDescription: String { description }
}

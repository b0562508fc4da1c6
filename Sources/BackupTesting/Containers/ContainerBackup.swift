public import BackupDevice
import BackupFileTree
import BackupScenarios
public import Testing

/// A backup that a test has taken, with a reason for every item that is in it or left out.
///
/// ```swift
/// let backup = try container.backUp()
/// #expect(backup.files == ["Documents/list.json"])
/// #expect(backup.bytes < 5_000_000)
/// ```
///
/// In `#expect` it prints each item with the reason why it is in or out.
public struct ContainerBackup: Sendable {
  private let taken: Transcript.Event.Backup

  let session: SerialNumber

  init(_ taken: Transcript.Event.Backup, of session: SerialNumber) {
    self.taken = taken
    self.session = session
  }

  /// The name that the device knows it by.
  var label: String { taken.label }

  /// The decision on every item of the container.
  public var contents: BackupSet { taken.set }

  /// The sum of the files' sizes in bytes.
  public var bytes: Int64 { contents.bytes }

  /// The paths of the files and links in the backup, relative to the container and sorted.
  public var files: [String] {
    contents.included.filter(\.isLeaf).map(\.path.string).sorted()
  }

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

extension ContainerBackup: Equatable {
  /// Whether both hold the same files of the same sizes, and leave out the same for the same
  /// reasons.
  public static func == (left: ContainerBackup, right: ContainerBackup) -> Bool {
    left.differences(from: right).isEmpty
  }
}

extension ContainerBackup: CustomStringConvertible, CustomTestStringConvertible {
  /// A line for each file and each item left out, with the reason.
  public var description: String { contents.description }

  /// The same, as Swift Testing shows it.
  public var testDescription: String { description }
}

public import BackupContainer
public import BackupDevice
import BackupDiagnostics
public import BackupFileTree
public import Testing

extension FakeContainer.Backup {
  /// An item that two backups treat differently: its existence, the decision on it or its size
  /// differs.
  public struct Difference: Hashable, Sendable {
    /// The item, relative to the container.
    public let path: ContainerPath
    /// The decision of the earlier backup to include or exclude the item; nil if the item did not
    /// exist.
    public let before: BackupSet.Decision?
    /// The decision of the later backup to include or exclude the item; nil if the item did not
    /// exist.
    public let after: BackupSet.Decision?
  }

  /// Returns the items that this backup and an earlier one treat differently, sorted by the bytes
  /// of their paths.
  ///
  /// ```swift
  /// let first = try container.backUp()
  /// try await container.perform("again") { try store.save(Data(count: 710), id: 1) }
  /// let second = try container.backUp()
  /// #expect(second.differences(from: first).isEmpty)
  /// ```
  ///
  /// - Parameter earlier: The backup to compare with.
  /// - Returns: The items, each with the decisions of both backups.
  public func differences(from earlier: FakeContainer.Backup) -> [FakeContainer.Backup.Difference] {
    let earlierPaths = earlier.contents.decisions.map(\.path)
    let paths = Set(earlierPaths + contents.decisions.map(\.path)).sorted()
    return paths.compactMap { path in
      let before = earlier.contents.decision(on: path)
      let after = contents.decision(on: path)
      // If both backups exclude an item for the same reason, its size does not matter.
      let isSame = before?.reason.map { $0 == after?.reason } ?? (before == after)
      return isSame ? nil : Difference(path: path, before: before, after: after)
    }
  }

  /// Returns a Boolean value that indicates whether an item is in the backup.
  ///
  /// ```swift
  /// #expect(!backup.contains("Library/Application Support/Movies/1.mp4"))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The item, relative to the container. If the path is invalid, the kit records an
  ///     issue.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Returns: `true` if the item is in the backup; `false` if it is not, or if the path is
  ///   invalid.
  public func contains(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    do throws(RunError) {
      return contents.contains(try ContainerPath(path))
    } catch {
      TestIssue.record("the path \(error)", at: sourceLocation)
      return false
    }
  }
}

extension FakeContainer.Backup.Difference: CustomStringConvertible, CustomDebugStringConvertible,
  CustomTestStringConvertible
{
  /// The item with both decisions, such as
  /// `Documents/a.txt: included, 10 bytes → excluded, own mark`.
  public var description: String {
    let (oldSize, newSize) = Int64.formattedSizes(before?.size ?? 0, after?.size ?? 0)
    return "\(path): \(Self.phrase(before, size: oldSize)) → \(Self.phrase(after, size: newSize))"
  }

  /// The description after a line break, so that a list shows each difference on its own line.
  public var debugDescription: String { "\n  \(description)" }

  /// The description, as Swift Testing shows it.
  public var testDescription: String { description }

  private static func phrase(_ decision: BackupSet.Decision?, size: String) -> String {
    guard let decision else { return "missing" }
    if let reason = decision.reason { return "excluded, \(reason)" }
    return decision.size == nil ? "included" : "included, \(size)"
  }
}

extension FakeContainer.Backup: Equatable, CustomStringConvertible, CustomTestStringConvertible {
  /// Returns a Boolean value that indicates whether two backups are equal.
  ///
  /// Equal backups include the same files with the same sizes, and exclude the same items for the
  /// same reasons.
  public static func == (left: FakeContainer.Backup, right: FakeContainer.Backup) -> Bool {
    left.differences(from: right).isEmpty
  }

  /// A line for each included file, and for each excluded item with the reason.
  public var description: String { contents.description }

  /// The description, as Swift Testing shows it.
  public var testDescription: String { description }
}

public import BackupContainer
public import BackupDevice
import BackupDiagnostics
public import BackupFileTree
public import Testing

extension FakeContainer.Backup {
  /// An item on which two backups differ.
  public struct Difference: Hashable, Sendable {
    /// The item, relative to the container.
    public let path: ContainerPath
    /// What the earlier backup does with it; nil if it had no such item.
    public let before: BackupSet.Decision?
    /// What the later backup does with it; nil if it had no such item.
    public let after: BackupSet.Decision?
  }

  /// The items that another backup treats otherwise, in byte order of their paths.
  ///
  /// ```swift
  /// let first = try container.backUp()
  /// try await container.perform("again") { try store.save(Data(count: 710), id: 1) }
  /// let second = try container.backUp()
  /// #expect(second.differences(from: first).isEmpty)
  /// ```
  ///
  /// - Parameter earlier: The backup to compare with.
  /// - Returns: The differences, each with what either backup does.
  public func differences(from earlier: FakeContainer.Backup) -> [FakeContainer.Backup.Difference] {
    let earlierPaths = earlier.contents.decisions.map(\.path)
    let paths = Set(earlierPaths + contents.decisions.map(\.path)).sorted()
    return paths.compactMap { path in
      let before = earlier.contents.decision(on: path)
      let after = contents.decision(on: path)
      // What an item that is left out holds is no matter.
      let isSame = before?.reason.map { $0 == after?.reason } ?? (before == after)
      return isSame ? nil : Difference(path: path, before: before, after: after)
    }
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
  /// `Documents/a.txt: included, 10 bytes → excluded, own mark`.
  public var description: String {
    let (old, new) = Int64.formattedSizes(before?.size ?? 0, after?.size ?? 0)
    return "\(path): \(Self.phrase(before, size: old)) → \(Self.phrase(after, size: new))"
  }

  /// The same on a line of its own, as a list has it.
  public var debugDescription: String { "\n  \(description)" }

  /// The same, as Swift Testing shows it.
  public var testDescription: String { description }

  /// What a backup does with an item, in words.
  private static func phrase(_ decision: BackupSet.Decision?, size: String) -> String {
    guard let decision else { return "missing" }
    if let reason = decision.reason { return "excluded, \(reason)" }
    return decision.size == nil ? "included" : "included, \(size)"
  }
}

extension FakeContainer.Backup: Equatable, CustomStringConvertible, CustomTestStringConvertible {
  /// Whether both hold the same files of the same sizes, and leave out the same for the same
  /// reasons.
  public static func == (left: FakeContainer.Backup, right: FakeContainer.Backup) -> Bool {
    left.differences(from: right).isEmpty
  }

  /// A line for each file and each item left out, with the reason.
  public var description: String { contents.description }

  /// The same, as Swift Testing shows it.
  public var testDescription: String { description }
}

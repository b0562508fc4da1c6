public import BackupFileTree

extension BackupSet {
  /// What a backup does with one item, and why.
  public struct Decision: Hashable, Sendable {
    /// In or out.
    public enum Verdict: Hashable, Sendable {
      /// In the backup; with the mark that was not honoured, where one should have kept it out.
      case included(despite: ExclusionMark)
      /// Not in the backup.
      case leftOut(BackupSet.LeftOutReason)
    }

    /// What kind of item it is, as far as a backup cares.
    public enum ItemKind: Hashable, Sendable {
      /// A file of a size in bytes.
      case file(size: Int64)
      /// A directory, and whether nothing is in it.
      case directory(isEmpty: Bool)
      /// A symbolic link.
      case link
      /// Anything else.
      case other
    }

    /// The item.
    public let path: ContainerPath
    /// What it is.
    public let kind: ItemKind
    /// In or out.
    public let verdict: Verdict

    /// A decision on an item.
    ///
    /// - Parameters:
    ///   - path: The item, relative to the container.
    ///   - kind: What the item is, a file with its size in bytes.
    ///   - verdict: In or out, and why.
    public init(path: ContainerPath, kind: ItemKind, verdict: Verdict) {
      self.path = path
      self.kind = kind
      self.verdict = verdict
    }
  }
}

extension BackupSet.Decision {
  /// Whether the item is in the backup.
  public var isIncluded: Bool {
    if case .included = verdict { true } else { false }
  }

  /// Why the item is left out; nil for one that is in.
  public var reason: BackupSet.LeftOutReason? {
    if case .leftOut(let reason) = verdict { reason } else { nil }
  }

  /// The size in bytes of a file, nil for anything else.
  public var size: Int64? {
    if case .file(let size) = kind { size } else { nil }
  }
}

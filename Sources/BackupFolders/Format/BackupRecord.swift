package import BackupFileTree

/// What a manifest says of one item.
package struct BackupRecord: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A file of a size in bytes.
    case file(size: Int64)
    case directory
    /// A symbolic link, with the bytes that it points to.
    case link(target: [UInt8])
  }

  package var kind: Kind
  /// Its marks, which are extended attributes; no others are kept.
  package var marks: ExclusionMark = []
  /// When it last changed, in seconds since 1970; written, and not read.
  package var modified: Int64 = 0
  /// Its inode number; written, and not read.
  package var inode: UInt64 = 0

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Whether it is a file, whose contents the folder must hold.
  package var isFile: Bool {
    if case .file = kind { true } else { false }
  }

  /// The number by which a manifest says what kind it is.
  var flags: Int64 {
    switch kind {
    case .file: 1
    case .directory: 2
    case .link: 4
    }
  }

  /// The mode that a device would have: kind and permissions.
  var mode: Int64 {
    switch kind {
    case .file: 0o100644
    case .directory: 0o040755
    case .link: 0o120755
    }
  }

  /// The item of a tree that it describes, a directory without what is in it.
  var itemKind: FileTree.Kind {
    switch kind {
    case .file(let size): .file(FileTree.FileInformation(size: size))
    case .directory: .directory(FileTree.Children())
    case .link(let target): .link(target: target)
    }
  }

  static func marks(among names: some Sequence<String>) -> ExclusionMark {
    ExclusionMark(ExclusionMark.all.filter { names.contains($0.attributeName) })
  }
}

/// A change of a process's to files, as FileSystemTap has noted it before it was done.
package struct TapRecord: Hashable, Sendable {
  /// What is changed; the numbers are those of `FileSystemTap.h`.
  package enum Kind: UInt32, CaseIterable, Sendable {
    /// A regular file is made.
    case create = 1
    /// A file gets the length `argument`.
    case truncate = 2
    /// Bytes are written at `offset`.
    case write = 3
    /// `path` becomes `other`, by the flags of `renameat2` in `argument`.
    case rename = 4
    /// `path` gets a further name, `other`.
    case hardLink = 5
    /// A symbolic link is made at `path`, to what `data` says.
    case symbolicLink = 6
    /// What is no directory is removed.
    case unlink = 7
    /// A directory is removed.
    case removeDirectory = 8
    /// A directory is made.
    case makeDirectory = 9
    /// The extended attribute `other` gets the value `data`, by the flags of `setxattr`.
    case setAttribute = 10
    /// The extended attribute `other` is removed.
    case removeAttribute = 11
    /// From now on the process can write to the file unseen. This is no change itself.
    case mapping = 12
    /// From `offset` on `argument` bytes are allocated, which makes the file longer.
    case allocate = 14
    /// The item changes in a way that the log cannot tell.
    case unseen = 15
  }

  /// What is changed.
  package let kind: Kind
  /// The id of the process.
  package let process: UInt32
  /// Which change of the process it is, from 1; 0 for a mapping.
  package let number: UInt32
  /// The item's absolute path. Bytes that are no UTF-8 have become U+FFFD.
  package let path: String
  /// Another path, or the name of an attribute; empty for most kinds.
  package let other: String
  /// Where in the file.
  package let offset: Int64
  /// What the kind says.
  package internal(set) var argument: Int64
  /// What is written. Nothing but zeros are left out, and then `argument` says how many.
  package internal(set) var data: [UInt8]

  /// How many bytes a write writes.
  package var count: Int { data.isEmpty ? Int(argument) : data.count }
}

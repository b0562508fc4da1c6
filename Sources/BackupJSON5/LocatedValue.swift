package import BackupDiagnostics

/// A JSON5 value that knows where it begins in its file.
package struct LocatedValue: Hashable, Sendable {
  package var kind: Kind

  /// Where the value's first byte stands.
  package var position: SourcePosition

  package init(kind: Kind, position: SourcePosition) {
    self.kind = kind
    self.position = position
  }
}

extension LocatedValue {
  package enum Kind: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, including `Infinity` and `NaN`.
    case number(JSON5Number)
    /// A quoted string, with its escapes resolved.
    case string(String)
    /// The values between `[` and `]`, in the order of the file.
    case array([LocatedValue])
    /// The members between `{` and `}`, in the order of the file, duplicate keys included.
    case object([Member])
  }

  package struct Member: Hashable, Sendable {
    /// The key, with its escapes resolved.
    package var key: String

    /// Where the key begins; for a quoted key, its opening quote.
    package var keyPosition: SourcePosition

    package var value: LocatedValue
  }
}

package import BackupDiagnostics

/// A JSON5 value that knows where it begins in its file.
package struct LocatedValue: Hashable, Sendable {
  /// What the value is, with everything inside it.
  package var kind: Kind

  /// Where the value's first byte stands.
  package var position: SourcePosition

  package init(kind: Kind, position: SourcePosition) {
    self.kind = kind
    self.position = position
  }
}

extension LocatedValue {
  /// The six things that a JSON5 value can be.
  package enum Kind: Hashable, Sendable {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
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

  /// A key of an object and its value.
  package struct Member: Hashable, Sendable {
    /// The key, with its escapes resolved.
    package var key: String

    /// Where the key begins; for a quoted key, its opening quote.
    package var keyPosition: SourcePosition

    /// What stands after the colon.
    package var value: LocatedValue
  }
}

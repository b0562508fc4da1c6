public import BackupDiagnostics
public import BackupFileTree

extension Scenario {
  /// Limits for the size and number of files: for all files together, or for the files that match
  /// each pattern.
  ///
  /// ```swift
  /// var budget: Scenario.Budget = 5_000_000
  /// budget = try Scenario.Budget([
  ///   "Library/Caches/**": 50_000_000, "**": Scenario.Budget.Limit(files: 500),
  /// ])
  /// ```
  public struct Budget: Sendable {
    /// A limit for the total size of some files, for their number, or for both.
    public struct Limit: Hashable, Sendable {
      /// The highest total size in bytes; nil for any size.
      public let bytes: Int64?
      /// The highest number of files; nil for any number.
      public let files: Int?

      /// Creates a limit for the total size, for the number of files, or for both.
      ///
      /// - Parameters:
      ///   - bytes: The highest total size in bytes; nil for any size.
      ///   - files: The highest number of files; nil for any number.
      public init(bytes: Int64? = nil, files: Int? = nil) {
        self.bytes = bytes
        self.files = files
      }
    }

    /// A limit with the pattern of its files.
    public struct Entry: Hashable, Sendable {
      /// The pattern of the files; nil for all files.
      public let pattern: PathPattern?
      /// The limit for these files.
      public let limit: Limit
    }

    /// The limits, in the order of the scenario file or the code. A file of the app counts for each
    /// pattern that matches it.
    public let entries: [Entry]
    /// The position of each pattern in the scenario file; empty for a budget from code.
    package let positions: [SourcePosition]
    /// The patterns; nil if the budget is for all files.
    private let patterns: PatternIndex?

    /// Creates a budget for all files together.
    ///
    /// - Parameter bytes: The highest total size in bytes.
    public init(bytes: Int64) {
      self.entries = [Entry(pattern: nil, limit: Limit(bytes: bytes))]
      self.positions = []
      self.patterns = nil
    }

    /// Creates a budget for the files that match each pattern.
    ///
    /// - Parameter limits: Patterns, relative to the container, each with the limit for its files.
    ///   `**` matches all files.
    /// - Throws: `RunError` with the code `.invalidPath` for an invalid pattern.
    public init(_ limits: KeyValuePairs<String, Limit>) throws(RunError) {
      var entries: [(pattern: PathPattern, limit: Limit)] = []
      for (text, limit) in limits { entries.append((try PathPattern(matching: text), limit)) }
      self.init(entries)
    }

    /// Creates a budget, with the position of each pattern if it was read from a file.
    init(_ limits: [(pattern: PathPattern, limit: Limit)], positions: [SourcePosition] = []) {
      self.entries = limits.map { Entry(pattern: $0.pattern, limit: $0.limit) }
      self.positions = positions
      self.patterns = PatternIndex(limits.map(\.pattern))
    }

    /// Returns the indices of the entries that apply to a file.
    package func indices(for file: ContainerPath) -> [Int] {
      patterns?.indices(matching: file) ?? Array(entries.indices)
    }

    /// Returns the indices of the entries whose pattern matches none of these items.
    package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
      patterns?.indicesMatchingNone(of: paths) ?? []
    }
  }
}

extension Scenario.Budget: ExpressibleByIntegerLiteral {
  /// Creates a budget for all files together, in bytes.
  public init(integerLiteral bytes: Int64) { self.init(bytes: bytes) }
}

extension Scenario.Budget.Limit: ExpressibleByIntegerLiteral {
  /// Creates a limit for the total size of files from a literal in bytes: `5_000_000`.
  public init(integerLiteral bytes: Int64) { self.init(bytes: bytes) }
}

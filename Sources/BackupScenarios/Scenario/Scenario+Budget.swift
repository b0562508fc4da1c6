public import BackupDiagnostics
public import BackupFileTree

extension Scenario {
  /// How much files may take: all together, or those of each of some patterns.
  ///
  /// ```swift
  /// var budget: Scenario.Budget = 5_000_000
  /// budget = try Scenario.Budget([
  ///   "Library/Caches/**": 50_000_000, "**": Scenario.Budget.Limit(files: 500),
  /// ])
  /// ```
  public struct Budget: Sendable {
    /// The most that some files may be.
    public struct Limit: Hashable, Sendable {
      /// How many bytes they may have together; nil for any number.
      public let bytes: Int64?
      /// How many there may be; nil for any number.
      public let files: Int?

      /// A limit of either kind or both.
      ///
      /// - Parameters:
      ///   - bytes: How many bytes the files may have together.
      ///   - files: How many files there may be.
      public init(bytes: Int64? = nil, files: Int? = nil) {
        self.bytes = bytes
        self.files = files
      }
    }

    /// A limit and the files that it is for.
    public struct Entry: Hashable, Sendable {
      /// Which files; nil for all.
      public let pattern: PathPattern?
      /// The most that they may be.
      public let limit: Limit
    }

    /// The limits, in the order of the file. Each holds on its own: a file counts for every pattern
    /// that matches it.
    public let entries: [Entry]
    /// Where each pattern stands in the file; empty for a budget of no file.
    package let positions: [SourcePosition]
    /// The patterns; nil where the budget is for all files.
    private let patterns: PatternIndex?

    /// A budget for all files together.
    ///
    /// - Parameter bytes: How many bytes they may have.
    public init(bytes: Int64) {
      self.entries = [Entry(pattern: nil, limit: Limit(bytes: bytes))]
      self.positions = []
      self.patterns = nil
    }

    /// A budget for the files of each of some patterns.
    ///
    /// - Parameter limits: Patterns, relative to the container, with the most that their files may
    ///   be. `**` is all files.
    /// - Throws: `RunError` with the code `.invalidPath` for what is no pattern.
    public init(_ limits: KeyValuePairs<String, Limit>) throws(RunError) {
      var entries: [(pattern: PathPattern, limit: Limit)] = []
      for (text, limit) in limits { entries.append((try PathPattern(matching: text), limit)) }
      self.init(entries)
    }

    /// Limits for patterns, with where each stands where they were read from a file.
    init(_ limits: [(pattern: PathPattern, limit: Limit)], positions: [SourcePosition] = []) {
      self.entries = limits.map { Entry(pattern: $0.pattern, limit: $0.limit) }
      self.positions = positions
      self.patterns = PatternIndex(limits.map(\.pattern))
    }

    package func indices(for file: ContainerPath) -> [Int] {
      patterns?.indices(matching: file) ?? Array(entries.indices)
    }

    /// The indices of the entries whose pattern matches none of these items.
    package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
      patterns?.indicesMatchingNone(of: paths) ?? []
    }
  }
}

extension Scenario.Budget: ExpressibleByIntegerLiteral {
  /// A budget of bytes for all files together.
  public init(integerLiteral bytes: Int64) { self.init(bytes: bytes) }
}

extension Scenario.Budget.Limit: ExpressibleByIntegerLiteral {
  /// A limit on the sum of the files' sizes in bytes, as a literal: `5_000_000`.
  public init(integerLiteral bytes: Int64) { self.init(bytes: bytes) }
}

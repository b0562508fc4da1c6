package import BackupDiagnostics

extension Scenario {
  /// The limits of one run of a scenario, because scenario files may be untrusted.
  ///
  /// A step that would exceed a limit fails before it takes more of the machine. The app's own code, in a `perform` or
  /// `run` step, has no limits. An exploration ends early, as incomplete, if its copies of the container or its
  /// recorded changes take more than `bytes`.
  ///
  /// ```swift
  /// let limits = Scenario.RunLimits(work: 5_000_000)
  /// await scenario.run(options: Scenario.RunOptions(limits: limits))
  /// ```
  public struct RunLimits: Hashable, Sendable {
    /// The most work of the kit's steps together, in units. A step is 20 units, and so is each item that it creates,
    /// which takes about 20 times as long on disk as examining one. Each item that a step examines is 1 unit, and so
    /// are 10,000 bytes of files that it copies or reads.
    public var work: Int
    /// The most bytes that files may take on disk, including those kept for a restore. A file that a step creates by
    /// its size takes none.
    public var bytes: Int
    /// The number of bytes of each file that are searched for the container's own path. A run continues after them.
    public var searched: Int

    /// The default limits, except for those that are given.
    ///
    /// - Parameters:
    ///   - work: The most work of the kit's steps together, in units.
    ///   - bytes: The most bytes that files and backups may take on disk.
    ///   - searched: The number of bytes of each file that are searched for the container's own path.
    public init(work: Int = 1_000_000, bytes: Int = 1_000_000_000, searched: Int = 1_000_000) {
      self.work = work
      self.bytes = bytes
      self.searched = searched
    }

    static let none = RunLimits(work: .max, bytes: .max)
  }
}

extension Scenario.RunLimits {
  /// Sets a limit from an argument of the command line: `work=5000000`.
  package mutating func set(_ words: String) throws(RunError) {
    let paths: KeyValuePairs<String, WritableKeyPath<Scenario.RunLimits, Int>> = [
      "work": \.work, "bytes": \.bytes, "searched": \.searched,
    ]
    let parts = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (name, path) = paths.first(where: { $0.key == parts[0] }) else {
      let advice = NearestWord.advice(for: String(parts[0]), in: paths.map(\.key))
      throw RunError(.contradictory, "unknown limit '\(String(parts[0]).shown)'; \(advice)")
    }
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else {
      throw RunError(
        .contradictory,
        "'\(words.shown)' is not a limit; expected \(name)= and a whole number of at least 1")
    }
    self[keyPath: path] = number
  }
}

package import BackupDiagnostics

extension Scenario {
  /// The most that one run of a scenario may take of the machine, since its file may come from
  /// anybody.
  ///
  /// A run that meets a limit breaks off and says so, before it takes more. What the app's own code
  /// does, in a `perform` or `run` step, is not limited by these; but an exploration ends early, as
  /// incomplete, if its copies of the container or the changes that it records take more than `bytes`.
  ///
  /// ```swift
  /// let limits = Scenario.RunLimits(work: 5_000_000)
  /// await scenario.run(options: Scenario.RunOptions(limits: limits))
  /// ```
  public struct RunLimits: Hashable, Sendable {
    /// How much work the kit's steps may be together. A step is 20 units, and so is each item that it
    /// makes: on disk that takes about 20 times as long as to look at one. Each item that it looks
    /// at is 1 unit, and so are 10,000 bytes of files that it copies or looks into.
    public var work: Int
    /// How many bytes of the disk the files may take, with those that are kept for a restore; a file
    /// made by its size takes none.
    public var bytes: Int
    /// How many bytes of each file are searched for the container's own path; a run does not break off
    /// at them.
    public var searched: Int

    /// The default limits, except for those that are given.
    ///
    /// - Parameters:
    ///   - work: How much work the kit's steps may be together, in units.
    ///   - bytes: How many bytes of the disk its files and archives may take.
    ///   - searched: How many bytes of each file are searched for the container's own path.
    public init(work: Int = 1_000_000, bytes: Int = 1_000_000_000, searched: Int = 1_000_000) {
      self.work = work
      self.bytes = bytes
      self.searched = searched
    }

    static let none = RunLimits(work: .max, bytes: .max)
  }
}

extension Scenario.RunLimits {
  /// Sets a limit as the command line says it: `work=5000000`.
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

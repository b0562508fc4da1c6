package import BackupDiagnostics

extension Scenario {
  /// The limits of one run of a scenario. They protect the machine, because scenario files may be
  /// untrusted.
  ///
  /// A step that would exceed a limit fails before it uses more of the machine. The app's own code,
  /// in a `perform` or `run` step, has no limits. An exploration ends early, and counts as
  /// incomplete, if its copies of the container or its recorded changes take more than `bytes`.
  ///
  /// ```swift
  /// let limits = Scenario.RunLimits(work: 5_000_000)
  /// await scenario.run(options: Scenario.RunOptions(limits: limits))
  /// ```
  public struct RunLimits: Hashable, Sendable {
    /// The highest amount of work of all steps together, in units.
    ///
    /// A step takes 20 units, plus 20 units for each item that it creates. Each item that a step
    /// examines takes 1 unit. On disk, creating an item takes about 20 times as long as examining
    /// an item. Copying or reading 10,000 bytes also takes 1 unit.
    public var work: Int
    /// The highest number of bytes that files may take on disk, including the files of backups. A
    /// file that a step creates with the key `size` takes no bytes.
    public var bytes: Int
    /// The number of bytes at the beginning of each file in which the kit searches for the
    /// container's own path. A larger file does not end the run.
    public var searched: Int

    /// Creates the limits of a run. Each parameter has a default value.
    ///
    /// - Parameters:
    ///   - work: The highest amount of work of all steps together, in units.
    ///   - bytes: The highest number of bytes that files and backups may take on disk.
    ///   - searched: The number of bytes at the beginning of each file in which the kit searches
    ///     for the container's own path.
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
  package mutating func set(_ argument: String) throws(RunError) {
    let keyPaths: KeyValuePairs<String, WritableKeyPath<Scenario.RunLimits, Int>> = [
      "work": \.work, "bytes": \.bytes, "searched": \.searched,
    ]
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (name, keyPath) = keyPaths.first(where: { $0.key == parts[0] }) else {
      let advice = NearestWord.advice(for: String(parts[0]), in: keyPaths.map(\.key))
      throw RunError(
        .contradictory, "unknown limit '\(String(parts[0]).escapedExcerpt)'; \(advice)")
    }
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else {
      throw RunError(
        .contradictory,
        "'\(argument.escapedExcerpt)' is not a limit; expected \(name)= and a whole number of at least 1"
      )
    }
    self[keyPath: keyPath] = number
  }
}

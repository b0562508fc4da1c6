import BackupDiagnostics

/// What a run has taken of the machine so far, held against its limits.
struct ResourceTally {
  /// How many units of work a step is, and an item that it makes.
  static let itemCost = 20
  /// How many bytes are a unit of work.
  private static let bytesOfUnit: Int64 = 10_000

  let limits: Scenario.RunLimits
  /// How much work the steps were so far.
  private(set) var work = 0
  /// How many bytes the container's files take, or more if some were removed since they were counted.
  var bytes: Int64 = 0
  /// How many bytes the archives of backups take.
  private(set) var archivedBytes: Int64 = 0

  init(_ limits: Scenario.RunLimits = .none) {
    self.limits = limits
  }

  /// Whether anything is limited; a test's own code is not.
  var isLimited: Bool { limits != .none }

  /// Whether so many more bytes, those of archives with them, are too many by what is counted.
  func exceeds(bytes more: Int64) -> Bool {
    more > Int64(limits.bytes) - min(bytes + archivedBytes, Int64(limits.bytes))
  }

  /// Notes that code of the app's own has acted: what it left is counted before the kit makes more.
  mutating func forgetBytes() { bytes = Int64(limits.bytes) - archivedBytes }

  /// Notes that a backup's files are kept.
  mutating func archive(bytes more: Int64) { archivedBytes += more }

  /// Charges what a step is about to do, and refuses it if it is too much.
  mutating func charge(
    making made: Int = 0, lookingAt seen: Int = 0, bytes: Int64 = 0
  ) throws(StepFailure) {
    guard isLimited else { return }
    let sum = work + made * Self.itemCost + seen + Int(bytes / Self.bytesOfUnit)
    guard sum <= limits.work else {
      throw failure(
        .work,
        "with this step the run would take \(sum) units of work (an item created counts "
          + "\(Self.itemCost), an item examined counts 1)")
    }
    work = sum
  }

  /// The failure of a step that would take more than a limit allows, which no `throws` asks for.
  func failure(_ name: Scenario.RunLimits.Name, _ what: String) -> StepFailure {
    let limit = name == .bytes ? limits[name].formattedSize : "\(limits[name])"
    return StepFailure(
      "\(what), and the limit of a run is \(limit), which protects against untrusted "
        + "scenario files. Create and copy less; or, if you trust the file, raise the limit: "
        + "scenario.run(options: .init(limits: .init(\(name.rawValue): …))) in a test, or "
        + "--limit \(name.rawValue)=… on the command line",
      canBeExpected: false)
  }
}

import BackupDiagnostics

/// What a run has taken of the machine so far, held against its limits.
struct ResourceTally {
  let limits: Scenario.RunLimits
  /// How many items the container has, or more where some were removed since they were counted.
  var items = 0
  /// How many bytes its files take, or more, likewise.
  var bytes: Int64 = 0
  /// How many bytes the archives of backups take.
  private(set) var archivedBytes: Int64 = 0
  /// How many items the system's steps were about.
  private var listed = 0
  /// Tells the time since some moment; tests put another clock in its place.
  private let uptime: @Sendable () -> Duration
  /// When the run began.
  private let begin: Duration
  /// How much of the time since then is left out.
  private var exempt = Duration.zero

  init(
    _ limits: Scenario.RunLimits = .none, uptime: @escaping @Sendable () -> Duration = Self.uptime
  ) {
    self.limits = limits
    self.uptime = uptime
    self.begin = uptime()
  }

  /// When this process first asked for the time.
  private static let start = SuspendingClock.now

  /// The time since then, without that in which the machine slept.
  static let uptime: @Sendable () -> Duration = { start.duration(to: .now) }

  /// Whether anything is limited; a test's own code is not.
  var isLimited: Bool { limits != .none }

  /// Whether so many more items are too many by what is counted.
  func exceeds(items more: Int) -> Bool { more > limits.items - min(items, limits.items) }

  /// Whether so many more bytes, those of archives with them, are too many by what is counted.
  func exceeds(bytes more: Int64) -> Bool {
    more > Int64(limits.bytes) - min(bytes + archivedBytes, Int64(limits.bytes))
  }

  /// Notes that code of the app's own has acted: what it left is counted before the kit makes more.
  mutating func forgetCounts() {
    items = limits.items
    bytes = Int64(limits.bytes) - archivedBytes
  }

  /// Notes that a backup's files are kept.
  mutating func archive(bytes more: Int64) { archivedBytes += more }

  /// Notes that a step is about so many items.
  mutating func list(_ count: Int) throws(StepFailure) {
    guard count <= limits.listed - listed else {
      throw failure(
        .listed, "backups, updates and restores would be about \(listed + count) items together")
    }
    listed += count
    items = count
  }

  /// Leaves out the time since a moment, which is the app's own code's or another run's.
  mutating func exempting(_ start: Duration) { exempt += uptime() - start }

  /// The time now, for ``exempting(_:)``.
  var now: Duration { uptime() }

  /// Refuses to go on where the steps have taken too long.
  func requireTime() throws(StepFailure) {
    guard isLimited else { return }
    let taken = uptime() - begin - exempt
    guard taken > .seconds(limits.seconds) else { return }
    throw failure(.seconds, "the steps before this one took \(taken.components.seconds) seconds")
  }

  /// The failure of a step that would take more than a limit allows, which no `throws` asks for.
  func failure(_ name: Scenario.RunLimits.Name, _ what: String) -> StepFailure {
    StepFailure(
      "\(what), and the limit of a run is \(limits[name]), for a scenario file may come from "
        + "anybody. Where you trust it: scenario.run(limits: Scenario.RunLimits(\(name.rawValue): "
        + "…)) in a test, or --limit \(name.rawValue)=… on the command line",
      canBeExpected: false)
  }
}

import BackupContainer
import BackupScenarios
import Foundation

/// What the scenarios of one process of tests have in common: what the environment asks of them.
struct TestProcess: Sendable {
  /// The process that runs; tests put another in its place.
  @TaskLocal static var current = TestProcess(
    environment: ProcessInfo.processInfo.environment, folder: TestProcess.buildFolder)

  let environment: [String: String]
  let failed: FailedScenarios
  let usage = ActionUsage()
  /// The report that is asked for; nil if none is.
  let report: Result<ProcessReport?, RunError>
  /// Whether an issue says already that there is no report.
  let isReportMissed = Locked(false)
  /// Whether it was said that the app runs in this process.
  let isGuestKnown = Locked(false)
  /// Bounds how many processes of apps live at once.
  let limits: AppLimits

  /// Apps of scenarios and those that tests launch in the container of their trait have a limit
  /// each: a test that holds an app may run scenarios, which would wait for a turn that only tests
  /// like itself could give. A scenario's app waits for no other, so its turn ends.
  typealias AppLimits = (scenarios: ProcessLimit, launched: ProcessLimit)

  /// Those of this process: four apps for each processor, since each mostly waits until it is
  /// quiet.
  static let sharedLimits = limits(count: 4 * ProcessInfo.processInfo.activeProcessorCount)

  /// Limits of so many at once, each.
  static func limits(count: Int) -> AppLimits {
    (ProcessLimit(count: count), ProcessLimit(count: count))
  }

  /// A process that keeps what the next one must know in a folder.
  init(environment: [String: String], folder: URL, limits: AppLimits = sharedLimits) {
    self.environment = environment
    self.limits = limits
    self.failed = FailedScenarios(in: folder)
    self.report = Result { () throws(RunError) in try ProcessReport(in: environment) }
  }
}

extension TestProcess {
  /// The folder that the bundle or program of the tests was built into; the temporary folder where
  /// that is not known.
  private static let buildFolder: URL = {
    let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    let places = Bundle.allBundles.map(\.bundleURL) + arguments
    let found = places.lazy.compactMap(bundle).first
    return found?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
  }()

  private static func bundle(around place: URL) -> URL? {
    var url = place.standardizedFileURL
    while url.pathComponents.count > 1 {
      if url.pathExtension == "xctest" { return url }
      url.deleteLastPathComponent()
    }
    return nil
  }
}

import BackupContainer
import BackupScenarios
import Foundation

/// What the scenarios of one process of tests have in common: what the environment asks of them.
struct TestProcess: Sendable {
  /// The process that runs; tests put another in its place.
  @TaskLocal static var current = TestProcess(
    environment: ProcessInfo.processInfo.environment, folder: TestBundle.folder)

  let environment: [String: String]
  /// The scenarios that failed when they last ran.
  let failed: FailedScenarios
  /// Which actions its scenarios perform.
  let usage = ActionUsage()
  /// The report that is asked for; nil where none is.
  let report: Result<ProcessReport?, RunError>
  /// Whether an issue says already that there is no report.
  let isReportMissed = Locked(false)
  /// Whether it was said that the app runs in this process.
  let isGuestKnown = Locked(false)
  /// Bounds how many processes of apps live at once.
  let limits: AppLimits

  /// A process that keeps what the next one has to know in a folder.
  init(environment: [String: String], folder: URL, limits: AppLimits = .shared) {
    self.environment = environment
    self.limits = limits
    self.failed = FailedScenarios(in: folder)
    self.report = Result { () throws(RunError) in try ProcessReport(in: environment) }
  }
}

/// The bundle or program that the tests are in.
private enum TestBundle {
  /// The folder that it was built into; the temporary folder where that is not known.
  static let folder: URL = {
    let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    let places = Bundle.allBundles.map(\.bundleURL) + arguments
    let found = places.lazy.compactMap(bundle).first
    return found?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
  }()

  /// The bundle that a place is or is in.
  private static func bundle(around place: URL) -> URL? {
    var url = place.standardizedFileURL
    while url.pathComponents.count > 1 {
      if url.pathExtension == "xctest" { return url }
      url.deleteLastPathComponent()
    }
    return nil
  }
}

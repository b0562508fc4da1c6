import BackupScenarios
import Foundation

/// Bounds how many processes of apps live at once.
///
/// Those of scenarios and those that tests launch have a limit each: a test that holds an app may run
/// scenarios, and would wait for a turn that only tests like itself could give. A scenario's app waits
/// for no other, so its turn ends.
struct AppLimits: Sendable {
  /// Those of this process: four apps for each processor, since each mostly waits until it is quiet.
  static let shared = AppLimits(count: 4 * ProcessInfo.processInfo.activeProcessorCount)

  let scenarios: ProcessLimit
  /// The apps that tests launch in the container of their trait, of which each test has one.
  let launched: ProcessLimit

  /// Limits of so many at once, each.
  init(count: Int) {
    scenarios = ProcessLimit(count: count)
    launched = ProcessLimit(count: count)
  }
}

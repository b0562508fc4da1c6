import BackupTesting

/// The app in a process of its own. Each launch starts a new process.
///
/// The actions still use the directories of the scenario's container. If no process can be started,
/// for example in the iOS Simulator, the app's own directories would be those of the test's
/// process.
enum CinemaUnderTest: AppUnderTest {
  static let actions = AppActions.cinema
}

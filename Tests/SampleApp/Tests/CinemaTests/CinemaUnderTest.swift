import BackupTesting

/// The app as a process of its own at each launch, which the system ends as a phone's does.
///
/// It is handed the container all the same: where no process can be started, as in the simulator of
/// a phone, the app's own directories are those of the test's process.
enum CinemaUnderTest: AppUnderTest {
  static let actions = AppActions.cinema
}

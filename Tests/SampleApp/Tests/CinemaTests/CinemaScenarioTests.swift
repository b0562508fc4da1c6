import BackupExploring
import BackupFolders
import BackupTesting
import Testing

@Suite struct CinemaScenarioTests {
  @Test(arguments: try Scenario.all())
  func `The app's files are where they belong`(_ scenario: Scenario) async {
    // The scenarios may read the backups in Fixtures, because these are our own.
    let result = await scenario.explore(
      CinemaUnderTest.self, options: Scenario.RunOptions(allowsBackups: true, backupReader: .finder)
    )
    #expect(result?.runs.flatMap(\.findings).isEmpty == true)
  }

  @Test(arguments: try Scenario.all())
  func `They are there too if the app runs in the test's process`(_ scenario: Scenario) async {
    let result = await scenario.run(
      actions: .cinema, options: Scenario.RunOptions(allowsBackups: true, backupReader: .finder))
    #expect(result?.runs.flatMap(\.findings).isEmpty == true)
  }
}

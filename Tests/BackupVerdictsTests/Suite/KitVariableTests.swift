import Testing

@testable import BackupVerdicts

@Suite struct KitVariableTests {
  @Test func `the message about an unknown variable suggests the nearest one`() {
    let complaints = KitVariables.complaints(in: [
      "BACKUP_TESTING_RECRD": "all", "BACKUP_TESTING_RECORD": "never", "BACKUP_PASSWORD": "a",
      "BACKUP_TESTING_TAP_LOG": "a", "BACKUP_TESTING_CONTAINER": "a", "PATH": "a",
    ])
    #expect(complaints.count == 1)
    #expect(
      complaints.first?.hasPrefix(
        "unknown environment variable 'BACKUP_TESTING_RECRD'; did you mean 'BACKUP_TESTING_RECORD'?"
      )
        == true)
  }
}

import Testing

@testable import BackupVerdicts

extension SchemaAgreementTests {
  @Test(arguments: [("steps", "{ relaunch: {} }"), ("launch", "{ perform: 'p' }")])
  func `ten thousand steps are the most`(key: String, step: String) throws {
    let other = key == "steps" ? "" : "steps: [], "
    for (count, isAccepted) in [(10_000, true), (10_001, false)] {
      let list = Array(repeating: step, count: count).joined(separator: ",")
      try check([
        SchemaCase(text: "{ title: 'T', \(other)\(key): [\(list)] }", isAccepted: isAccepted)
      ])
    }
  }
}

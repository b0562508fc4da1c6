import Testing

@testable import BackupVerdicts

/// The schema and the decoder accept and refuse the same files.
@Suite struct SchemaAgreementTests {
  @Test func `every scenario of the repository is accepted by both`() throws {
    let verdicts = try Verdicts.shared.get()
    let files = try Repository.scenarios()
    #expect(files.count > 150)
    for file in files {
      let verdict = try verdicts(Repository.text(at: file.path))
      #expect(verdict.schemaAccepts, "\(file.id)")
      #expect(verdict.decoderAccepts, "\(file.id)")
    }
  }

  @Test(arguments: SchemaCase.all)
  func `both have the expected verdict on each case`(
    _ example: SchemaCase
  ) throws {
    try expectVerdicts(example)
  }

  @Test(arguments: [("steps", "{ relaunch: {} }"), ("launch", "{ perform: 'p' }")])
  func `ten thousand steps are accepted, and one more is refused`(key: String, step: String) throws
  {
    let other = key == "steps" ? "" : "steps: [], "
    for (count, isAccepted) in [(10_000, true), (10_001, false)] {
      let list = Array(repeating: step, count: count).joined(separator: ",")
      try expectVerdicts(
        SchemaCase(text: "{ title: 'T', \(other)\(key): [\(list)] }", isAccepted: isAccepted))
    }
  }

  /// Expects that both have the verdict of the case.
  private func expectVerdicts(_ example: SchemaCase) throws {
    let verdict = try Verdicts.shared.get()(example.text)
    #expect(verdict.schemaAccepts == example.isAccepted, "the schema")
    #expect(
      verdict.decoderAccepts == example.isAccepted, "the decoder: \(verdict.mistakes)")
  }
}

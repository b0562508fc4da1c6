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

  @Test func `keys of the scenario`() throws { try check(SchemaCase.ofKeys) }

  @Test func `paths and patterns`() throws { try check(SchemaCase.ofPaths) }

  @Test func `sizes`() throws { try check(SchemaCase.ofSizes) }

  @Test func `versions of iOS`() throws { try check(SchemaCase.ofVersions) }

  @Test func `steps of the app`() throws { try check(SchemaCase.ofAppSteps) }

  @Test func `failures that a step expects`() throws {
    try check(SchemaCase.ofFailures + SchemaCase.ofFullStorage)
  }

  @Test func `systems on which a step is done`() throws { try check(SchemaCase.ofStepSystems) }

  @Test func `extensions that do a step`() throws { try check(SchemaCase.ofExtensions) }

  @Test func `steps of the system`() throws { try check(SchemaCase.ofSystemSteps) }

  @Test func `assertions`() throws { try check(SchemaCase.ofAssertions) }

  @Test func `steps at launch`() throws { try check(SchemaCase.ofLaunch) }

  @Test func `expected findings`() throws { try check(SchemaCase.ofExpectations) }

  /// Checks that both say what the cases say.
  func check(_ examples: [SchemaCase]) throws {
    let verdicts = try Verdicts.shared.get()
    for example in examples {
      let verdict = try verdicts(example.text)
      #expect(verdict.schemaAccepts == example.isAccepted, "the schema, of \(example)")
      #expect(
        verdict.decoderAccepts == example.isAccepted,
        "the decoder, of \(example): \(verdict.mistakes)")
    }
  }
}

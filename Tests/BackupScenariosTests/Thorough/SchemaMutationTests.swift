import BackupJSON5
import TestSupport
import Testing

@testable import BackupVerdicts

/// Schema and decoder agree on scenarios of the repository that were changed at random.
@Suite struct SchemaMutationTests {
  /// How many changed scenarios each seed makes.
  private static let mutantsPerSeed = 1000

  @Test(arguments: Thoroughness.seeds(1, of: 6))
  func `both accept and refuse the same mutants`(seed: UInt64) throws {
    let verdicts = try Verdicts.shared.get()
    let documents = try Repository.scenarios().map {
      try LocatedValue(json5: Repository.text(at: $0.path))
    }
    var mutator = ScenarioMutator(seed: seed, learningFrom: documents)
    var (accepted, refused) = (0, 0)
    for index in 0..<Self.mutantsPerSeed {
      let text = mutator.mutant(of: documents[index % documents.count]).json5
      let verdict = try verdicts(text)
      if verdict.decoderAccepts { accepted += 1 } else { refused += 1 }
      #expect(
        verdict.isAgreement,
        "the schema \(verdict.schemaAccepts ? "accepts" : "refuses") \(text): \(verdict.mistakes)")
    }
    #expect(accepted > Self.mutantsPerSeed / 20)
    #expect(refused > Self.mutantsPerSeed / 2)
  }

  @Test func `a document is written as it was read`() throws {
    for file in try Repository.scenarios() {
      let document = try LocatedValue(json5: Repository.text(at: file.path))
      #expect(try LocatedValue(json5: document.json5).outline == document.outline)
    }
  }

  @Test func `the same seed makes the same mutants`() throws {
    let document = try LocatedValue(json5: "{ title: 'T', steps: [{ save: 'a', size: '1 KB' }] }")
    var mutators = [1, 1, 2].map { ScenarioMutator(seed: $0, learningFrom: [document]) }
    let texts = mutators.indices.map { index in
      (0..<20).map { _ in mutators[index].mutant(of: document).json5 }
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0] != texts[2])
  }
}

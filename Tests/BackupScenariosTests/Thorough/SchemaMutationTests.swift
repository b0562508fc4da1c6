import BackupJSON5
import TestSupport
import Testing

@testable import BackupVerdicts

/// The schema and the decoder agree on scenarios of the repository after random changes.
@Suite struct SchemaMutationTests {
  /// The number of changed scenarios for each seed.
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
}

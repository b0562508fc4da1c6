import Testing

/// What the decoder refuses and the schema cannot: every ``SchemaLimit`` with its examples.
@Suite struct SchemaLimitTests {
  /// A limit and texts beyond it.
  private static let examples: [(limit: SchemaLimit, texts: [String])] = [
    (
      .duplicateKey,
      [
        "title: 'T', title: 'U', steps: []",
        "title: 'T', steps: [], app: { version: '1', version: '1' }",
        "title: 'T', steps: [{ save: 'a', save: 'a', size: 1 }]",
        "title: 'T', steps: [], files: { a: 'cached', a: 'cached' }",
        "title: 'T', steps: [{ perform: 'p', with: { a: 1, a: 2 } }]",
        "title: 'T', steps: [], expect: [{ rule: 'backup-budget', rule: 'backup-budget' }]",
      ]
    ),
    (
      .sameVersionTwice,
      ["title: 'T', steps: [], system: ['5', '5.0']", "title: 'T', steps: [], system: [18, '18']"]
    ),
    (
      .notationOfVersion,
      ["5.10", "+18", "18.", "0x12", "1.8e1", "18.00"].map {
        "title: 'T', steps: [], system: \($0)"
      }
    ),
    (
      .sizeInText,
      ["1.5 B", "0.5", "1.0001 KB", "1001 GB", "1000000000001", "932 GiB"].map {
        "title: 'T', steps: [], budget: '\($0)'"
      }
    ),
    (
      .lengthInBytes,
      [
        String(repeating: "\u{E9}", count: 128),
        Array(repeating: String(repeating: "\u{1F3AC}", count: 50), count: 6).joined(
          separator: "/"),
      ].map { "title: 'T', steps: [{ remove: '\($0)' }]" }
        + [
          "'\(String(repeating: "a", count: 65_537))'",
          "'t', '\(String(repeating: "a", count: 65_536))'",
          "'t', '\(String(repeating: "\u{1F3AC}", count: 16_384))'",
        ].map { "title: 'T', steps: [{ run: [\($0)] }]" }
    ),
    (
      .stepBeyondTheEnd,
      ["2", "'launch 2'", "'launch 99999999999999999999'"].map {
        "title: 'T', steps: [{ relaunch: {} }], launch: [{ perform: 'p' }], "
          + "expect: [{ rule: 'backup-budget', step: \($0) }]"
      }
        + ["1", "'launch 1'"].map {
          "title: 'T', steps: [], expect: [{ rule: 'backup-budget', step: \($0) }]"
        }
    ),
    (
      .variantNotRun,
      [
        "system: '18', expect: [{ rule: 'backup-budget', system: '26' }]",
        "system: ['5', '18'], expect: [{ rule: 'backup-budget', system: ['5', 6] }]",
        "expect: [{ rule: 'backup-budget', system: '5.0' }]",
        "expect: [{ rule: 'backup-budget', backups: 'local' }]",
        "backups: ['iCloud', 'local'], expect: [{ rule: 'backup-budget', backups: "
          + "['local', 'local-encrypted'] }]",
      ].map { "title: 'T', steps: [], \($0)" }
    ),
    (
      .labelNeverTaken,
      [
        "{ restore: 'b' }", "{ restore: 'b' }, { backup: 'b' }",
        "{ backup: 'b' }, { restore: 'B' }", "{ backup: 'b' }, { restore: 'b ' }",
        "{ backup: 'a' }, { restore: 'a' }, { restore: 'b' }",
      ].map { "title: 'T', steps: [\($0)]" }
    ),
    (
      .patternNeverDecides,
      [
        "'**': 'support', 'Documents/**': 'critical'", "'a/**': 'cached', 'a/b/**': 'critical'",
        "'a/*/**': 'cached', 'a/b/c': 'critical'", "'a/**': 'cached', 'a': 'cached'",
      ].map { "title: 'T', steps: [], files: { \($0) }" }
    ),
    (
      .misspeltTop,
      ["documents/a", "Document", "Libary/a", "Tmp/a", "temp"].map {
        "title: 'T', steps: [{ remove: '\($0)' }]"
      } + ["title: 'T', steps: [], files: { 'document/**': 'critical' }"]
    ),
  ]

  @Test func `the decoder refuses each, for that reason, and the schema accepts it`() throws {
    let verdicts = try Verdicts.shared.get()
    for (limit, texts) in Self.examples {
      for text in texts {
        let verdict = try verdicts("{ \(text) }")
        #expect(verdict.schemaAccepts, "\(text)")
        #expect(!verdict.decoderAccepts, "\(text)")
        for mistake in verdict.mistakes {
          #expect(limit.explains(mistake, in: verdict.value), "\(text): \(mistake)")
        }
      }
    }
  }

  @Test func `every limit has examples`() {
    #expect(Self.examples.map(\.limit) == SchemaLimit.allCases)
  }
}

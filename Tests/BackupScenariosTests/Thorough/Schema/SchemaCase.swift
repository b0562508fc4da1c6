import BackupDevice
import Testing

@testable import BackupScenarios

/// A short scenario, and whether the schema and the decoder must accept it.
struct SchemaCase: Sendable, CustomTestStringConvertible {
  /// The JSON5 text.
  let text: String
  /// Whether the text is a valid scenario.
  let isAccepted: Bool

  var testDescription: String { (isAccepted ? "accepted: " : "refused: ") + text.prefix(300) }

  /// Returns a case for each text, which replaces the `#` in a template.
  private static func cases(
    _ template: String = "#", accepted: [String] = [], refused: [String] = []
  ) -> [SchemaCase] {
    [(accepted, true), (refused, false)].flatMap { texts, isAccepted in
      texts.map { SchemaCase(text: template.replacing("#", with: $0), isAccepted: isAccepted) }
    }
  }

  /// Cases of the constraints on a scenario's keys.
  static let ofKeys =
    cases(
      accepted: ["{ $schema: 'x.json', title: 'T', steps: [] }"],
      refused: ["[]", "{ title: 'T' }", "{ title: ' \\t', steps: [] }", "{ title: 1, steps: [] }"])
    + cases(
      "{ title: 'T', steps: [], # }",
      accepted: [
        // Texts, words, lists of them, and numbers within bounds.
        "tags: 'movies'", "tags: ['a', 'b']", "bug: '#7'", "guidance: 'ignored'",
        "backups: ['local-encrypted', 'local']", "requirements: []",
        "explore: { reason: 'r', from: 10000, without: ['kill', 'idle'] }",
        // Objects whose keys are patterns, names or identifiers.
        "files: { 'a/**': 'cached', '*/b': 'temporary' }", "defaults: { 'b c': 'device' }",
        "app: { version: '', bundleIdentifier: 'A-1.b.9', groups: ['group.a'] }",
        "budget: { '**': 1, 'c': { size: 3, files: 5 } }",
        "golden: { names: { 'tmp/*': 'a{date}{any}' }, sizes: false }",
        "start: { container: 'Fixtures/v1/', marks: 'a.list' }",
      ],
      refused: [
        "steps2: []", "tags: []", "tags: ['a', 'a']", "tags: ['']", "bug: 7", "guidance: true",
        "guidance: 'honored'", "requirements: ['a']", "explore: { reason: 'r' }",
        "explore: { reason: 'r', from: 0 }", "explore: { reason: 'r', from: 10001 }",
        "explore: { reason: 'r', from: 1.5 }", "explore: { reason: 'r', without: ['all', 'kill'] }",
        "files: []", "files: { '/a': 'cached' }", "defaults: { '': 'device' }",
        "app: { bundleIdentifier: 'a..b' }", "app: { groups: ['a.b'] }", "budget: {}",
        "storage: { a: { files: -1 } }", "storage: { a: {} }",
        "storage: { \((0...100).map { "'\($0)': 1" }.joined(separator: ", ")) }",
        "app: { groups: [\((0...50).map { "'group.a\($0)'" }.joined(separator: ", "))] }",
        "golden: { names: { 'tmp/*': 'a' } }", "golden: { sizes: true }", "start: { marks: 'a' }",
        "app: { bundleIdentifier: '\(String(repeating: "a", count: 156))' }",
      ])

  /// Cases of the values in steps.
  static let ofSteps = cases(
    "{ title: 'T', steps: [#] }",
    accepted: [
      "{ createDirectory: 'a', intermediates: false, throws: 'noSuchFile' }",
      "{ save: 'a', size: '1 KB', how: 'inPlace', protection: 'complete', ifLocked: 'skip' }",
      "{ save: 'a', contents: '', killed: { before: 'mark', path: 'a', occurrence: 10000 } }",
      "{ move: 'a', to: 'b', over: true, mayThrow: true }",
      "{ read: 'a', ifMissing: 'recreate', size: 0 }",
      "{ setDefault: { a: '', b: -1.5, c: true } }",
      "{ readKeychainItem: 'a', ifMissing: 'skip', expect: null }",
      "{ perform: 'p', with: { a: [1, { b: null }] }, storageFull: {} }",
      "{ run: ['t', ''], timeLimit: 0.001 }", "{ purge: 'idle' }", "{ purge: ['tmp/*/a?'] }",
      "{ updateApp: '2', keeping: ['tmp'], losing: ['Library/Caches/**'] }",
      "{ backup: 'b' }, { restore: { label: 'b', to: 'transfer' } }",
      "{ restart: { locked: true } }",
      "{ expectFiles: { present: ['a', 'b/**'], absent: [] } }",
      "{ expectFile: { path: 'a', size: '1 KB' } }",
      "{ backup: 'b' }, { expectBackup: { lacks: ['**/a'] } }",
    ],
    refused: [
      "{}", "'save'", "{ save: 'a', remove: 'b', size: 1 }", "{ save: 'a' }",
      "{ save: 'a', size: 1, contents: 'x' }", "{ save: 'a', size: 1, how: 'atomic' }",
      "{ save: 'a', size: 1, killed: {} }", "{ save: 'a', size: 1, killed: { before: 'save' } }",
      "{ createDirectory: 'a', intermediates: 'no' }", "{ createDirectory: 'a', to: 'b' }",
      "{ move: 'a' }", "{ remove: 'a', throws: 'any' }", "{ read: 'a', size: 1 }",
      "{ read: 'a', ifMissing: 'recreate' }", "{ setDefault: {} }", "{ setDefault: { a: null } }",
      "{ setDefault: { a: 1e16 } }", "{ readDefault: '\\u0001' }", "{ perform: 'p', with: [] }",
      "{ run: [] }", "{ run: ['', 'a'] }", "{ run: ['a\\0'] }", "{ run: ['t'], timeLimit: 0 }",
      "{ run: ['t'], timeLimit: 3600.5 }",
      "{ run: [\(Array(repeating: "'a'", count: 257).joined(separator: ", "))] }",
      "{ purge: 'low' }", "{ purge: ['Documents'] }", "{ updateApp: '2', losing: ['Library/a'] }",
      "{ backup: 'b', throws: true }", "{ backup: 'b' }, { restore: { label: 'b', app: 'a' } }",
      "{ relaunch: { a: 1 } }", "{ expectFiles: {} }", "{ expectFile: { path: 'a' } }",
      "{ perform: 'p', in: 'group.a' }",
    ])

  /// Cases of constraints in certain places: in `launch`, in steps under some systems, and in
  /// `expect`.
  static let ofPlaces =
    cases(
      "{ title: 'T', steps: [], launch: [#] }",
      accepted: ["{ perform: 'p' }", "{ expectFiles: { absent: [] } }"],
      refused: ["{ backup: 'b' }", "'perform'"])
    + cases(
      "{ title: 'T', system: ['5.0.1', '18'], steps: [{ backup: 'a' }, { save: 'a', size: 1, # }] }",
      accepted: ["on: '18'", "on: ['18', '5.0.1']", "app: '1.0'"],
      refused: ["on: ['18', '18']", "on: '4'", "app: {}", "ifLocked: 'all'"])
    + cases(
      "{ title: 'T', steps: [{ relaunch: {} }, { backup: 'b' }], launch: [{ perform: 'p' }], "
        + "system: ['5', '18'], backups: ['iCloud', 'local'], expect: [#] }",
      accepted: [
        "{ rule: 'backup-budget', step: 2.0, severity: 'advice', system: [5, '18'] }",
        "{ rule: 'undeclared-item', step: 'launch 1', path: 'a/', backups: 'local' }",
      ],
      refused: [
        "{ step: 1 }", "{ rule: 'reapply' }", "{ rule: 'backup-budget', step: 'launch 01' }",
        "{ rule: 'backup-budget', severity: 'note' }", "{ rule: 'backup-budget', path: '/a' }",
        "{ rule: 'backup-budget', backups: [] }",
      ])

  /// A path of 1024 bytes.
  private static let kilobyte =
    String(repeating: String(repeating: "n", count: 255) + "/", count: 3)
    + String(repeating: "n", count: 254) + "/n"

  /// Cases of texts with a form: paths, sizes and versions.
  static let ofTexts =
    cases(
      "{ title: 'T', steps: [{ save: #, size: 1 }] }",
      accepted: [
        "'a/b/'", "'a./..b'", "'a\\\\b\\n'", "'\u{1F3AC}'", "'\(kilobyte)'",
        "'\(String(repeating: "a/", count: 63))b'",
      ],
      refused: [
        "''", "'/a'", "'a//b'", "'a/../b'", "'a/.'", "'a\\0'", "'\(kilobyte)x'",
        "'\(String(repeating: "n", count: 256))'", "'\(String(repeating: "a/", count: 64))b'",
      ])
    + cases(
      "{ title: 'T', steps: [{ save: 'a', size: # }] }",
      accepted: ["0", "1e3", "0x10", "1000000000000", "'007'", "'10KB'", "'.5 MB'", "'1 GiB'"],
      refused: [
        "-1", "0.5", "1000000000001", "NaN", "true", "''", "'1. KB'", "'1 kb'", "'1  KB'",
        "'1 KB\\n'", "'10 \u{212A}B'",
      ])
    + cases(
      "{ title: 'T', steps: [], system: # }",
      accepted: ["'5.0.0'", "5.1", "26", "'newest'", "['5.0.1', '18']"],
      refused: ["'Newest'", "'18\\n'", "'019'", "'5.0.2'", "19", "1e300", "{}"])

  static let all = ofKeys + ofSteps + ofPlaces + ofTexts
}

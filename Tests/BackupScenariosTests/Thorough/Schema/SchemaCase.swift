import BackupDevice
import Testing

@testable import BackupScenarios

/// A short scenario and whether schema and decoder have to accept it.
struct SchemaCase: Sendable, CustomTestStringConvertible {
  /// The JSON5 text.
  let text: String
  /// Whether it is a scenario.
  let isAccepted: Bool

  /// The text, and what is expected of it.
  var testDescription: String { (isAccepted ? "accepted: " : "refused: ") + text.prefix(300) }

  static func whole(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { $0 }
  }

  /// Keys beside a title and no steps.
  static func keys(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { "{ title: 'T', steps: [], \($0) }" }
  }

  /// One step of a scenario.
  static func steps(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { "{ title: 'T', steps: [\($0)] }" }
  }

  /// One step at every launch.
  static func launch(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { "{ title: 'T', steps: [], launch: [\($0)] }" }
  }

  /// One expectation of a scenario with two steps and one launch step, under two systems.
  static func expect(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) {
      "{ title: 'T', steps: [{ relaunch: {} }, { backup: 'b' }], launch: [{ perform: 'p' }], "
        + "system: ['5', '18'], backups: ['iCloud', 'local'], expect: [\($0)] }"
    }
  }

  /// Values in a place, marked by `#`; the first of each sort also in others, where they mean the same.
  private static func inEach(
    _ places: [String], _ accepted: [String], _ refused: [String]
  ) -> [SchemaCase] {
    places.enumerated().flatMap { index, place in
      let count = index == 0 ? Int.max : 1
      return cases(Array(accepted.prefix(count)), Array(refused.prefix(count))) {
        "{ title: 'T', \(place.replacing("#", with: $0)) }"
      }
    }
  }

  /// A value in every place that a path or pattern has.
  static func paths(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    let places = [
      "steps: [{ save: #, size: 1 }]", "steps: [{ move: 'a', to: # }]",
      "steps: [{ updateApp: '2', keeping: [#] }]", "steps: [{ expectFiles: { absent: [#] } }]",
      "steps: [], files: { #: 'cached' }", "steps: [], storage: { #: 1 }",
      "steps: [], expect: [{ rule: 'backup-budget', path: # }]",
    ]
    return inEach(places, accepted, refused)
  }

  /// A value in every place that a size has.
  static func sizes(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    let places = [
      "steps: [{ save: 'a', size: # }]", "steps: [], budget: #",
      "steps: [], storage: { '**': # }", "steps: [], budget: { '**': { size: #, files: 1 } }",
      "steps: [{ read: 'a', ifMissing: 'recreate', size: # }]",
    ]
    return inEach(places, accepted, refused)
  }

  /// All versions of iOS, as a list holds them.
  private static let everySystem =
    SystemProfile.all.map { "'\($0.version)'" }.joined(separator: ", ")

  /// A value in every place that a version of iOS has.
  static func versions(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    let places = [
      "steps: [], system: #", "steps: [], system: ['5.0.1', #]",
      "steps: [], system: [\(everySystem)], expect: [{ rule: 'backup-budget', system: # }]",
    ]
    let later = accepted.filter { !earliestSystem.contains($0) }
    return inEach(places, accepted, refused)
      + cases(later, refused) { "{ title: 'T', system: '5.0', steps: [{ updateSystem: \($0) }] }" }
  }

  /// The spellings of the earliest version, to which no device can be updated.
  private static let earliestSystem: Set = ["'5'", "'5.0'", "'5.0.0'", "5", "5.0"]

  private static func cases(
    _ accepted: [String], _ refused: [String], _ text: (String) -> String
  ) -> [SchemaCase] {
    accepted.map { SchemaCase(text: text($0), isAccepted: true) }
      + refused.map { SchemaCase(text: text($0), isAccepted: false) }
  }
}

extension SchemaCase {
  /// A path of 1024 bytes.
  private static let kilobyte =
    String(repeating: String(repeating: "n", count: 255) + "/", count: 3)
    + String(repeating: "n", count: 254) + "/n"

  /// The ids of all requirements, as a list holds them.
  private static let everyRequirement =
    Scenario.requirementIDs.map { "'\($0)'" }.joined(separator: ", ")

  /// So many patterns, each with a size, as an object holds them.
  private static func manyPatterns(_ count: Int) -> String {
    (0..<count).map { "'\($0)': 1" }.joined(separator: ", ")
  }

  private static func identifiers(_ count: Int, _ begin: String) -> String {
    (0..<count).map { "'\(begin)\($0)'" }.joined(separator: ", ")
  }

  static let ofKeys =
    whole(
      accepted: [
        "{ title: 'T', steps: [] }", "{ steps: [], title: 'T', }",
        "{ $schema: 'x.json', title: 'T', steps: [] }",
        "{ title: '\u{301}', steps: [] }", "{ title: ' .', steps: [] }",
        "{ title: '\\uFEFF', steps: [] }",
      ],
      refused: [
        "null", "[]", "'T'", "1", "true", "{}", "{ title: 'T' }", "{ steps: [] }",
        "{ title: '', steps: [] }", "{ title: ' \\t\\n', steps: [] }", "{ title: 1, steps: [] }",
        "{ title: '\\u00A0\\u2003\\u3000\\u0085\\u2028', steps: [] }",
        "{ title: null, steps: [] }", "{ title: ['T'], steps: [] }", "{ Title: 'T', steps: [] }",
        "{ title: 'T', steps: {} }", "{ title: 'T', steps: null }", "{ title: 'T', step: [] }",
      ])
    + keys(
      accepted: Scenario.Disturbance.allCases.flatMap { disturbance in
        ["'\(disturbance)'", "['\(disturbance)']"].map {
          "explore: { reason: 'r', without: \($0) }"
        }
      } + [
        "explore: { reason: ' .', from: 1 }", "explore: { reason: 'r', from: 1 }",
        "explore: { from: 10000, reason: 'r', without: ['kill', 'idle'] }",
        "explore: { reason: 'r', without: 'all' }", "explore: { reason: 'r', without: ['all'] }",
        "explore: { reason: 'r', updatesKeep: 'marks' }",
        "explore: { reason: 'r', updatesKeep: 'groups' }",
        "explore: { reason: 'r', updatesKeep: 'extensions' }",
        "explore: { reason: 'r', updatesKeep: ['marks', 'groups', 'extensions'] }",
        "$schema: ''", "tags: 'movies'", "tags: ['a', 'b']", "bug: '#7'", "requirements: []",
        "requirements: [\(everyRequirement)]", "app: {}",
        "app: { groups: [], extensions: [] }",
        "app: { groups: [\(identifiers(50, "group.a"))] }",
        "app: { extensions: [\(identifiers(50, "com.example.app.a"))] }",
        "app: { groups: ['group.a', 'group.b_1.c'], extensions: ['com.example.app.w'] }",
        "app: { bundleIdentifier: 'a', extensions: ['a.b'] }",
        "app: { extensions: ['com.example.app.w'] }, "
          + "launch: [{ perform: 'p', in: 'com.example.app.w' }]",
        "app: { bundleIdentifier: 'a' }", "app: { bundleIdentifier: 'A-1.b.9' }",
        "app: { version: '' }", "app: { version: '1', bundleIdentifier: 'a.b' }",
        "app: { bundleIdentifier: '\(String(repeating: "a", count: 155))' }",
        "backups: 'iCloud'", "backups: 'local'", "backups: ['local-encrypted', 'local']",
        "backups: 'off'", "backups: ['off', 'iCloud']",
        "guidance: 'honoured'", "guidance: 'ignored'", "launch: []", "expect: []", "files: {}",
        "files: { 'a': 'critical', 'b': 'support', 'c': 'offline' }",
        "files: { 'a/**': 'cached', '*/b': 'temporary', c: 'cached', d: 'secret' }",
        "files: { '\u{E9}': 'cached', 'e\u{301}': 'cached' }", "system: ['18']",
        "defaults: {}", "defaults: { a: 'device', 'b c': 'device' }",
        "start: { container: 'a' }", "start: { container: 'Fixtures/v1/', marks: 'a.list' }",
        "storage: 0", "storage: '2 GB'", "budget: { '**': { files: 0 } }",
        "budget: { 'a': 1, 'b/*': '2 KB', 'c': { size: 3 }, 'd': { size: 4, files: 5 } }",
        "storage: { 'size/a': { files: 1000000000 }, 'Files': 1, 'tmp/size': 1, 'size2': 1 }",
        "storage: { \(manyPatterns(100)) }",
        "golden: { names: {} }", "golden: { names: { 'tmp/*': '{uuid}.mp4' } }",
        "golden: { names: { 'tmp/*': 'a{date}{number}{hex}', 'tmp/**': '{any}' } }",
        "golden: { names: { 'tmp/*': '{{any}}' } }", "golden: { names: { 'tmp/*': '}{any}{' } }",
        "golden: { sizes: [] }", "golden: { sizes: ['tmp/*'] }", "golden: { sizes: false }",
        "golden: { compare: false }", "golden: { compare: true, sizes: false, names: {} }",
      ],
      refused: [
        "tags: []", "tags: [1]", "tags: ['a', 'a']", "tags: ['']", "tags: ''", "bug: 7", "bug: ''",
        "$schema: 1",
        "defaults: []", "defaults: { a: 'phone' }", "defaults: { a: null }",
        "defaults: { '': 'device' }", "defaults: null",
        "$schema: null", "schema: ''", "requirements: 'a'", "requirements: [1]",
        "requirements: null", "requirements: {}", "requirements: ['a']", "requirements: ['']",
        "requirements: ['backup.documents', 'backup.documents']",
        "app: { groups: ['a.b'] }", "app: { groups: ['group.'] }", "app: { groups: 'group.a' }",
        "app: { groups: ['group.a', 'group.a'] }", "app: { groups: [1] }",
        "app: { groups: ['group.\(String(repeating: "a", count: 150))'] }",
        "app: { extensions: ['a'] }", "app: { extensions: ['group.a'] }",
        "app: { extensions: ['com.example.app.w', 'com.example.app.w'] }",
        "app: { bundleIdentifier: '\(longest.dropLast(2))', extensions: ['\(longest).b'] }",
        "app: { groups: [\(identifiers(51, "group.a"))] }",
        "app: { extensions: [\(identifiers(51, "com.example.app.a"))] }",
        "app: { extensions: ['a..b'] }", "app: { extensions: [1] }", "app: { extensions: {} }",
        "app: 'a'", "app: []", "app: null", "app: { name: 'a' }", "app: { bundleIdentifier: '' }",
        "app: { bundleIdentifier: 'a..b' }",
        "app: { bundleIdentifier: 'a_b' }", "app: { bundleIdentifier: 'a.b.' }",
        "app: { bundleIdentifier: '.a' }", "app: { bundleIdentifier: 'a\\n' }",
        "app: { bundleIdentifier: 'é' }", "app: { bundleIdentifier: 1 }", "app: { version: 1 }",
        "app: { bundleIdentifier: '\(String(repeating: "a", count: 156))' }",
        "app: { version: null }", "backups: []", "backups: 'icloud'", "backups: ''",
        "backups: 1", "backups: ['local', 'local']", "backups: ['off', 'off']", "backups: false",
        "backups: ['local', 1]",
        "backups: [['local']]", "backups: { local: true }", "backups: null", "guidance: true",
        "guidance: 'honored'", "guidance: ['ignored']", "guidance: null", "files: []",
        "files: { 'a': 'documents' }", "files: { 'a': 1 }", "files: { 'a': ['cached'] }",
        "files: { 'a': null }", "files: 'cached'", "budget: null", "storage: null",
        "budget: {}", "budget: []", "budget: true", "budget: ['1 KB']", "storage: { a: null }",
        "storage: { a: {} }", "storage: { a: [] }", "storage: { a: true }",
        "storage: { a: { bytes: 1 } }", "storage: { a: { files: '5' } }",
        "storage: { a: { files: -1 } }", "storage: { a: { files: 0.5 } }",
        "storage: { a: { files: 1000000001 } }", "storage: { a: { files: null } }",
        "storage: { a: { size: null } }", "storage: { a: { a: 1 } }",
        "start: 'a'", "start: {}", "start: null", "start: []", "start: { marks: 'a' }",
        "start: { container: '' }", "start: { container: '/a' }", "start: { container: '../a' }",
        "start: { container: 'a/../b' }", "start: { container: '.' }", "start: { container: 1 }",
        "start: { container: 'a', marks: '/a' }", "start: { container: 'a', marks: null }",
        "start: { container: 'a', path: 'b' }",
        "budget: { size: '5 MB' }", "budget: { files: 5 }", "budget: { size: 1, files: 5 }",
        "budget: { '/a': 1 }", "storage: { \(manyPatterns(101)) }", "launch: {}", "launch: null",
        "launch: [[]]", "expect: {}", "expect: null", "expect: [null]", "expect: ['a']",
        "steps2: []", "system: []", "system: {}", "Files: {}", "'': 1", "' title': 'T'",
        "system: ['18', '18']", "system: [['18']]",
        "golden: {}", "golden: false", "golden: null", "golden: []", "golden: { name: {} }",
        "golden: { names: [] }", "golden: { names: { 'tmp/*': '' } }",
        "golden: { names: { 'tmp/*': 'a' } }", "golden: { names: { 'tmp/*': '{uid}' } }",
        "golden: { names: { 'tmp/*': '{any}{}' } }", "golden: { names: { 'tmp/*': '{any' } }",
        "golden: { names: { 'tmp/*': '{any}/a' } }", "golden: { names: { 'tmp/*': '{any}\\0' } }",
        "golden: { names: { 'tmp/*': '{any}{number }' } }", "golden: { names: { '': '{any}' } }",
        "golden: { names: { 'tmp/*': 1 } }", "golden: { names: { 'tmp/*': null } }",
        "golden: { sizes: true }", "golden: { sizes: 'tmp/*' }", "golden: { sizes: [1] }",
        "golden: { sizes: {} }", "golden: { sizes: null }", "golden: { compare: 1 }",
        "golden: { compare: null }",
        "explore: {}", "explore: null", "explore: false", "explore: 'r'", "explore: []",
        "explore: { reason: 'r' }", "explore: { from: 1 }", "explore: { without: 'kill' }",
        "explore: { from: 1, reason: '' }", "explore: { from: 1, reason: ' \\t' }",
        "explore: { from: 1, reason: 1 }", "explore: { reason: 'r', without: ['all', 'kill'] }",
        "explore: { reason: 'r', without: ['all', 'all'] }",
        "explore: { reason: 'r', from: 0 }", "explore: { reason: 'r', from: 10001 }",
        "explore: { reason: 'r', from: '1' }", "explore: { reason: 'r', from: 1.5 }",
        "explore: { reason: 'r', without: [] }", "explore: { reason: 'r', without: 'purge' }",
        "explore: { reason: 'r', without: ['kill', 'kill'] }",
        "explore: { reason: 'r', updatesKeep: [] }", "explore: { updatesKeep: 'marks' }",
        "explore: { reason: 'r', updatesKeep: 'files' }",
        "explore: { reason: 'r', updatesKeep: ['files'] }",
        "explore: { reason: 'r', updatesKeep: ['marks', 'marks'] }",
        "explore: { reason: 'r', without: {} }",
        "explore: { reason: 'r', without: [1] }", "explore: { reason: 'r', to: 1 }",
        "explore: { reason: 'r', from: 1, to: 1 }",
      ])

  /// Paths and patterns, which are alike in every place.
  static let ofPaths = paths(
    accepted: [
      "'a'", "'a/'", "'a/b'", "'...'", "'.a'", "'a./..b'", "'**'", "'Documents/*.t?t'", "' '",
      "'a\\\\b'", "'a\\nb'", "'\u{1F3AC}'", "'e\u{301}'", "'\\uFEFF'", "'a\\n'", "'-'", "'~/a'",
      "'\(String(repeating: "n", count: 255))'",
      "'\(kilobyte)'", "'\(kilobyte)/'", "'\(String(repeating: "a/", count: 63))b'",
      "'\(String(repeating: "a/", count: 63))b/'",
    ],
    refused: [
      "''", "'/'", "'/a'", "'//'", "'a//b'", "'a//'", "'.'", "'..'", "'./a'", "'a/.'", "'a/./b'",
      "'../a'", "'a/..'", "'a/../b'", "'a/../'", "'./'", "'a\\0'", "'\\0'",
      "'\(String(repeating: "n", count: 256))'", "'a/\(String(repeating: "n", count: 256))/b'",
      "'\(kilobyte)x'", "'\(String(repeating: "a/", count: 64))b'",
      "'\(kilobyte)x/'",
    ])

  /// Sizes, which are alike in every place.
  static let ofSizes = sizes(
    accepted: [
      "0", "-0", "1", "1.0", "1e3", "0x10", "+2", "1000000000000", "'0'", "'2048'", "'007'",
      "'10 KB'", "'10KB'", "'1.5 MB'", "'.5 MB'", "'700 MiB'", "'1000 GB'", "'1 GiB'", "'2 KiB'",
      "'3 B'", "'1.0 B'", "'1.0'", "'0 GB'",
    ],
    refused: [
      "-1", "0.5", "1000000000001", "1e30", "Infinity", "-Infinity", "NaN", "null", "true", "[]",
      "[1]", "{}", "''", "' '", "'KB'", "' KB'", "'.'", "'.KB'", "'1.'", "'1. KB'", "'1.2.3'",
      "'-1'", "'+1'", "'1e3'", "'1 kb'", "'1 TB'", "'1  KB'", "' 1 KB'", "'1 KB '", "'10 '",
      "'1,5 MB'", "'0x10'", "'1\u{A0}KB'", "'10 \u{212A}B'", "'\u{661} KB'", "'1 K\\u0042\u{301}'",
      "'1\\n'", "'1 KB\\n'", "'Infinity'",
    ])

  /// Versions of iOS, which are alike in every place.
  static let ofVersions = versions(
    accepted: [
      "'5'", "'5.0'", "'5.0.0'", "'5.1'", "'5.1.0'", "'6'", "'9.0'", "'10'", "'18'", "'18.0.0'",
      "'26'", "26", "'27'", "5", "5.0", "5.1", "18.0", "26.0", "'newest'",
    ],
    refused: [
      "'Newest'", "'newest '",
      "''", "' 18'", "'18 '", "'18\\n'", "'iOS 18'", "'019'", "'018'", "'5.00'", "'5.0.1.0'",
      "'5.0.2'", "'5.1.1'", "'4'", "'19'", "'25'", "'28'", "'18.0.0.0'", "'18.'", "'.5'", "'x'",
      "19", "5.2", "-5", "0", "null", "true", "{}", "{ version: '18' }", "'\u{661}\u{668}'",
      "Infinity", "1e300",
    ])
}

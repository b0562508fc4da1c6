import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5
@testable import BackupScenarios

/// The decoder refuses some texts that a schema cannot refuse. Each ``SchemaLimit`` has examples.
@Suite struct SchemaLimitTests {
  /// The limits, each with texts that only the decoder refuses.
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
      .systemNotLater,
      [
        "steps: [{ updateSystem: '18' }]", "system: 18, steps: [{ updateSystem: '18' }]",
        "system: ['9', '26'], steps: [{ updateSystem: '18' }]",
        "system: '9', steps: [{ updateSystem: '18' }, { updateSystem: '10' }]",
      ].map { "title: 'T', \($0)" }
    ),
    (
      .versionNeverThere,
      [
        "launch: [{ save: 'a', size: 1, app: '9' }], steps: [{ relaunch: {} }]",
        "steps: [{ updateApp: '3' }, { save: 'a', size: 1, app: { from: '2', before: '3' } }]",
      ].map { "title: 'T', \($0)" }
    ),
    (
      .notLocked,
      [
        "{ unlock: {} }", "{ lock: {} }, { unlock: {} }, { unlock: {} }",
        "{ restart: {} }, { unlock: {} }",
      ].map { "title: 'T', steps: [\($0)]" }
    ),
    (
      .waitsOutsideLaunch, ["title: 'T', steps: [{ save: 'a', size: 1, ifLocked: 'wait' }]"]
    ),
    (
      .noBackupYet,
      [
        "steps: [{ expectBackup: { lacks: ['tmp'] } }]",
        "steps: [{ expectBackup: { lacks: ['tmp'] } }, { backup: 'b' }]",
        "steps: [{ relaunch: {} }], launch: [{ expectBackup: { lacks: ['tmp'] } }]",
      ].map { "title: 'T', \($0)" }
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
      ["Document", "Libary/a", "temp"].map {
        "title: 'T', steps: [{ remove: '\($0)' }]"
      } + ["title: 'T', steps: [], files: { 'document/**': 'critical' }"]
    ),
    (
      .undeclaredContainer,
      [
        "steps: [{ remove: 'group.x:/a' }]", "steps: [], files: { '*:/**': 'cached' }",
        "app: { groups: ['group.y'] }, steps: [{ remove: 'group.x:/a' }]",
        "steps: [{ perform: 'p', in: 'com.example.app.w' }]",
      ].map { "title: 'T', \($0)" }
    ),
    (.extensionOfAnotherApp, ["title: 'T', steps: [], app: { extensions: ['a.b'] }"]),
    (
      .beyondExtension,
      [
        "steps: [{ save: 'Documents/a', size: 1, in: 'com.example.app.w' }]",
        "steps: [{ move: 'com.example.app.w:/a', to: 'b', in: 'com.example.app.w' }]",
        "steps: [{ setDefault: { a: '{container}' }, in: 'com.example.app.w' }]",
        "steps: [{ relaunch: {} }], launch: [{ setDefault: { a: 1 }, in: 'com.example.app.w' }]",
      ].map { "title: 'T', app: { extensions: ['com.example.app.w'] }, \($0)" }
    ),
  ]

  @Test func `the decoder refuses each example because of its limit, and the schema accepts it`()
    throws
  {
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

/// A reason for which the decoder refuses a text, although the schema accepts it.
enum SchemaLimit: CaseIterable {
  /// An object has a key twice. JSON Schema does not see the notation of objects.
  case duplicateKey
  /// A list has one version in two spellings, such as 5 and 5.0.
  case sameVersionTwice
  /// A version is a number in an invalid notation. For example, the number 5.10 equals 5.1.
  case notationOfVersion
  /// A size in a text is no whole number of bytes, or too large. Schemas cannot multiply.
  case sizeInText
  /// A path, a name or the list of `run` has too many bytes of UTF-8. Schemas count characters.
  case lengthInBytes
  /// An expectation names a step that the scenario lacks. Schemas cannot compare two values.
  case stepBeyondTheEnd
  /// An expectation names a system or a kind of backup under which the scenario does not run.
  case variantNotRun
  /// A `restore` names a backup that no step before it takes.
  case labelNeverTaken
  /// An update names a system that is not later than the device's system.
  case systemNotLater
  /// A step names a version that the app never has.
  case versionNeverThere
  /// A step unlocks a device that is not locked.
  case notLocked
  /// A step outside of `launch` waits for an unlock. In the schema, all steps have the same keys.
  case waitsOutsideLaunch
  /// An assertion on a backup comes before the first backup.
  case noBackupYet
  /// A pattern of `files` never applies, because an earlier pattern covers it.
  case patternNeverDecides
  /// The name of a topmost directory is similar to a standard one. Schemas cannot compare words.
  case misspeltTop
  /// A step or a pattern names a container that `app` does not name.
  case undeclaredContainer
  /// The identifier of an extension does not begin with the app's identifier.
  case extensionOfAnotherApp
  /// A step of an extension uses something that the extension cannot reach, or is in `launch`.
  case beyondExtension

  /// Whether this limit is the reason for a mistake.
  func explains(_ mistake: ScenarioDiagnostic, in document: LocatedValue) -> Bool {
    let message = mistake.message
    let value = document.value(at: mistake.position)
    return switch self {
    case .duplicateKey: message.hasSuffix("' appears twice; keep one")
    case .sameVersionTwice: message == "this system appears twice; keep one"
    case .notationOfVersion:
      message.hasPrefix("unknown version of iOS '") && value?.isOfType("number") == true
    case .sizeInText:
      value?.isOfType("string") == true
        && (message.hasPrefix("the size ") && message.contains(" is out of range; ")
          || message.hasSuffix("' is not a whole number of bytes"))
    case .lengthInBytes:
      message.hasSuffix(" bytes; a path can have at most 1024")
        || message.hasSuffix(
          " bytes; a name can have at most 255")
        || message.hasPrefix("the list is too long; at most 256 strings with 65.5 KB in all ")
    case .stepBeyondTheEnd:
      message.hasPrefix("there is no step ") && message.contains("; the scenario has ")
        || message.hasPrefix("expected a step's number, at least 1")
          && value?.isOfType("string") == true
    case .variantNotRun: message.hasPrefix("the scenario does not run under ")
    case .labelNeverTaken:
      message.hasPrefix("no backup \"") && message.contains("\" is taken before this step; ")
    case .systemNotLater: message.hasSuffix(" at this step; name a later version")
    case .versionNeverThere: message.hasPrefix("the app never has such a version at this step, ")
    case .notLocked: message.contains("the device is not locked at this step; ")
    case .waitsOutsideLaunch: message.hasPrefix("'wait' is only for steps of 'launch'; ")
    case .noBackupYet: message.hasPrefix("there is no backup yet; ")
    case .patternNeverDecides: message.hasSuffix("; put the narrower pattern first")
    case .undeclaredContainer: message.hasPrefix("there is no container '")
    case .extensionOfAnotherApp:
      message.contains("' is not an extension's bundle identifier; ")
    case .beyondExtension:
      message.hasPrefix("the extension '") && message.contains("' cannot reach '")
        || message.hasPrefix("{container} stands for the path of the app's own container")
        || message.hasPrefix("the app's launch starts no extension")
    case .misspeltTop: message.contains("a container has no '")
    }
  }
}

extension LocatedValue {
  /// Returns the innermost value that begins at a position.
  func value(at target: SourcePosition) -> LocatedValue? {
    let inner: [LocatedValue] =
      switch kind {
      case .array(let elements): elements
      case .object(let members): members.map(\.value)
      default: []
      }
    return inner.lazy.compactMap { $0.value(at: target) }.first ?? (position == target ? self : nil)
  }
}

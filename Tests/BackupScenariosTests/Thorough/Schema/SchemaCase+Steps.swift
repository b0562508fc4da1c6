import BackupScenarios

extension SchemaCase {
  static let ofAppSteps = steps(
    accepted: [
      "{ createDirectory: 'a' }", "{ createDirectory: 'a', intermediates: false }",
      "{ intermediates: true, createDirectory: 'a', throws: true }",
      "{ save: 'a', size: 1 }", "{ save: 'a', contents: '' }", "{ size: '1 KB', save: 'a' }",
      "{ save: 'a', size: 1, how: 'atomically' }", "{ save: 'a', size: 1, how: 'inPlace' }",
      "{ save: 'a', contents: 'x', how: 'deleteFirst', throws: 'noSuchFile' }",
      "{ append: 'a', size: 1 }", "{ append: 'a', contents: 'x', throws: 'unavailable' }",
      "{ exclude: 'a' }", "{ exclude: 'a', using: 'resourceValue' }",
      "{ exclude: 'a', using: 'extendedAttribute', throws: false }", "{ include: 'a' }",
      "{ include: 'a', using: 'extendedAttribute' }",
      "{ include: 'a', using: 'resourceValue' }", "{ move: 'a', to: 'b' }",
      "{ move: 'a', to: 'a', over: true }", "{ move: 'a', to: 'b', throws: 'fileExists' }",
      "{ copy: 'a', to: 'b' }", "{ copy: 'a', to: 'b', throws: true }", "{ remove: 'a' }",
      "{ remove: 'a', ifMissing: 'skip' }", "{ append: 'a', size: 1, ifMissing: 'skip' }",
      "{ move: 'a', to: 'b', ifMissing: 'skip' }", "{ copy: 'a', to: 'b', ifMissing: 'skip' }",
      "{ exclude: 'a', ifMissing: 'skip' }", "{ include: 'a', ifMissing: 'skip' }",
      "{ move: 'a', to: 'b', ifExists: 'skip' }", "{ copy: 'a', to: 'b', ifExists: 'skip' }",
      "{ save: 'a', size: 1, ifExists: 'skip' }", "{ save: 'a', size: 1, protection: 'complete' }",
      "{ save: 'a', size: 1, protection: 'untilFirstUnlock' }",
      "{ save: 'a', size: 1, protection: 'none', ifLocked: 'skip' }",
      "{ read: 'a', ifMissing: 'skip', ifLocked: 'skip' }",
      "{ link: 'a', to: 'b' }", "{ link: 'a', to: 'b', absolute: true }", "{ read: 'a' }",
      "{ read: 'a', ifMissing: 'skip' }",
      "{ read: 'a', ifMissing: 'recreate', size: 0 }", "{ read: 'a', throws: true }",
      "{ setDefault: { a: true } }", "{ setDefault: { a: '', b: 1, c: -1.5, 'd e': false } }",
      "{ setDefault: { a: 1 }, throws: true }", "{ setDefault: { a: 'x\\ty\\n' } }",
      "{ readDefault: 'a' }", "{ readDefault: 'a b', expect: null }",
      "{ setDefault: { a: 1 }, suite: '\(longest)' }", "{ readDefault: 'a', suite: '\(longest)' }",
      "{ save: 'a', size: 1, how: 'replaceItem' }", "{ save: 'a', size: 1, how: 'document' }",
      "{ save: 'a', size: 1, how: 'fileHandle' }", "{ relaunch: {}, killed: { before: 'mark' } }",
      "{ readDefault: 'a', expect: 'x' }", "{ readDefault: 'a', expect: 1 }",
      "{ setKeychainItem: ' ' }", "{ setKeychainItem: 'a', accessibility: 'ordinary' }",
      "{ accessibility: 'thisDeviceOnly', setKeychainItem: 'a b' }", "{ readKeychainItem: 'a' }",
      "{ readKeychainItem: 'a', ifMissing: 'skip' }", "{ removeKeychainItem: 'a' }",
      "{ setKeychainItem: 'a', value: 'x' }", "{ setKeychainItem: 'a', value: 1 }",
      "{ readKeychainItem: 'a', expect: 'x' }", "{ readKeychainItem: 'a', expect: null }",
      "{ readKeychainItem: 'a', ifMissing: 'skip', expect: 1 }",
      "{ readKeychainItem: 'a', ifMissing: 'recreate', expect: null }",
      "{ readKeychainItem: 'a', ifMissing: 'recreate', value: 'x', accessibility: 'thisDeviceOnly' }",
      "{ save: 'a', size: 1, sealedWith: 'k' }", "{ append: 'a', contents: 'x', sealedWith: 'k' }",
      "{ read: 'a', ifMissing: 'recreate', size: 1, sealedWith: ' ' }",
      "{ readDefault: 'a', expect: false, throws: true }",
      "{ read: 'a', ifMissing: 'recreate', contents: 'x', throws: true }", "{ perform: 'p' }",
      "{ perform: ' ', with: {} }",
      "{ perform: 'p', with: { a: [1, { b: null }] }, throws: true }",
      "{ run: ['./tool'] }", "{ run: ['t', ''], timeLimit: 0.001 }", "{ run: ['\\n', '\\n'] }",
      "{ timeLimit: 3600, throws: true, run: ['t', 'a', 'b c'] }", "{ run: [\(words(256))] }",
    ],
    refused: [
      "{}", "null", "[]", "'save'", "{ sav: 'a', size: 1 }", "{ Save: 'a', size: 1 }",
      "{ size: 1 }", "{ throws: true }", "{ save: 'a', remove: 'b', size: 1 }",
      "{ read: 'a', include: 'a' }", "{ createDirectory: 1 }", "{ createDirectory: null }",
      "{ createDirectory: 'a', intermediates: 'no' }", "{ createDirectory: 'a', size: 1 }",
      "{ createDirectory: 'a', intermediates: null }", "{ createDirectory: ['a'] }",
      "{ createDirectory: 'a', throws: 'any' }", "{ createDirectory: 'a', throws: null }",
      "{ createDirectory: 'a', throws: ['noSuchFile'] }", "{ createDirectory: 'a', throws: 1 }",
      "{ createDirectory: 'a', throws: 'notADirectory' }", "{ createDirectory: 'a', to: 'b' }",
      "{ save: 'a' }", "{ save: 'a', size: 1, contents: 'x' }", "{ save: 'a', contents: 1 }",
      "{ save: 'a', contents: null }", "{ save: 'a', size: 1, how: 'atomic' }",
      "{ save: 'a', size: 1, how: true }", "{ save: 'a', size: 1, using: 'resourceValue' }",
      "{ save: 'a', size: 1, protection: true }", "{ save: 'a', size: 1, protection: 'all' }",
      "{ append: 'a', size: 1, protection: 'none' }", "{ read: 'a', ifLocked: true }",
      "{ read: 'a', ifLocked: 'recreate' }", "{ save: {}, size: 1 }", "{ append: 'a' }",
      "{ append: 'a', size: 1, contents: '' }",
      "{ append: 'a', size: 1, how: 'inPlace' }", "{ append: 1, size: 1 }", "{ exclude: true }",
      "{ exclude: 'a', using: 'attribute' }", "{ exclude: 'a', using: ['resourceValue'] }",
      "{ exclude: 'a', using: null }", "{ exclude: 'a', using: 'none' }",
      "{ exclude: 'a', size: 1 }", "{ include: [] }", "{ include: 'a', using: '' }",
      "{ include: 'a', over: true }", "{ move: 'a' }", "{ to: 'b' }", "{ move: 'a', to: 1 }",
      "{ move: 1, to: 'b' }", "{ move: 'a', to: 'b', over: 'yes' }", "{ move: 'a', over: true }",
      "{ copy: 'a' }", "{ copy: 'a', to: 'b', over: true }", "{ copy: 'a', to: null }",
      "{ remove: 'a', to: 'b' }", "{ remove: ['a', 'b'] }",
      "{ remove: 'a', ifMissing: 'recreate' }", "{ append: 'a', size: 1, ifMissing: true }",
      "{ move: 'a', to: 'b', ifMissing: null }", "{ copy: 'a', to: 'b', ifMissing: 'fail' }",
      "{ exclude: 'a', ifMissing: 'recreate' }", "{ include: 'a', ifMissing: false }",
      "{ move: 'a', to: 'b', ifExists: true }", "{ copy: 'a', to: 'b', ifExists: 'fail' }",
      "{ save: 'a', size: 1, ifExists: null }", "{ remove: 'a', ifExists: 'skip' }",
      "{ save: 'a', size: 1, ifMissing: 'skip' }", "{ link: 'a' }",
      "{ link: 'a', to: '/b' }", "{ link: 'a', to: 'b', over: false }",
      "{ link: 'a', to: 'b', absolute: 'yes' }", "{ read: 1 }",
      "{ read: 'a', ifMissing: 'recreate' }", "{ read: 'a', ifMissing: 'fail' }",
      "{ read: 'a', ifMissing: true }", "{ read: 'a', ifMissing: null }",
      "{ read: 'a', size: 1 }", "{ read: 'a', contents: 'x' }", "{ read: 'a', to: 'b' }",
      "{ read: 'a', ifMissing: 'skip', size: 0 }", "{ read: 'a', ifMissing: 'skip', contents: '' }",
      "{ read: 'a', ifMissing: 'recreate', size: 1, contents: 'x' }",
      "{ ifMissing: 'skip' }", "{ ifMissing: 'recreate', size: 1 }",
      "{ read: '/a', ifMissing: 'recreate', size: 1 }",
      "{ read: 'a', ifMissing: 'recreate', contents: 1 }",
      "{ read: 'a', ifMissing: 'recreate', size: 1, how: 'inPlace' }",
      "{ setDefault: { a: 1 }, suite: 'a/b' }", "{ setDefault: { a: 1 }, suite: 1 }",
      "{ setDefault: { a: 1 }, suite: '\(longest)x' }", "{ readDefault: 'a', suite: 'a/b' }",
      "{ readDefault: 'a', suite: 1 }", "{ readDefault: 'a', suite: '\(longest)x' }",
      "{ setKeychainItem: '' }", "{ setKeychainItem: 1 }", "{ setKeychainItem: null }",
      "{ setKeychainItem: 'a', accessibility: 'always' }", "{ readKeychainItem: '' }",
      "{ setKeychainItem: 'a', accessibility: null }", "{ readKeychainItem: {} }",
      "{ readKeychainItem: 'a', ifMissing: 'always' }", "{ accessibility: 'ordinary' }",
      "{ readKeychainItem: 'a', accessibility: 'ordinary' }", "{ removeKeychainItem: '' }",
      "{ readKeychainItem: 'a', value: 'x' }", "{ readKeychainItem: 'a', expect: [] }",
      "{ readKeychainItem: 'a', ifMissing: 'skip', value: 'x' }",
      "{ readKeychainItem: 'a', ifMissing: 'skip', accessibility: 'ordinary' }",
      "{ readKeychainItem: 'a', ifMissing: 'recreate', value: null }",
      "{ readKeychainItem: 'a', ifMissing: 'recreate', accessibility: 'always' }",
      "{ setKeychainItem: 'a', value: {} }", "{ setKeychainItem: 'a', expect: 'x' }",
      "{ removeKeychainItem: 1 }", "{ removeKeychainItem: 'a', ifMissing: 'skip' }",
      "{ save: 'a', size: 1, sealedWith: '' }", "{ append: 'a', size: 1, sealedWith: 1 }",
      "{ read: 'a', sealedWith: 'k' }", "{ read: 'a', ifMissing: 'skip', sealedWith: 'k' }",
      "{ read: 'a', ifMissing: 'recreate', size: 1, sealedWith: null }",
      "{ read: 'a', ifMissing: 'recreate', size: 1, sealedWith: '' }",
      "{ setKeychainItem: 'a', ifMissing: 'skip' }",
      "{ setDefault: {} }", "{ setDefault: { a: null } }", "{ setDefault: { a: [] } }",
      "{ setDefault: { a: {} } }", "{ setDefault: 'a' }", "{ setDefault: null }",
      "{ setDefault: ['a'] }", "{ setDefault: { '': 1 } }", "{ setDefault: { a: Infinity } }",
      "{ setDefault: { a: NaN } }", "{ setDefault: { a: '\\u0001' } }",
      "{ setDefault: { '\\u0001': 1 } }", "{ setDefault: { a: 1 }, to: 'b' }",
      "{ readDefault: '' }", "{ readDefault: 1 }", "{ readDefault: null }",
      "{ readDefault: '\\u0001' }", "{ readDefault: 'a', expect: [] }",
      "{ setDefault: { a: 1e16 } }", "{ setDefault: { a: -1e16 } }",
      "{ readDefault: 'a', expect: '\\u0001' }",
      "{ readDefault: 'a', expect: {} }", "{ readDefault: 'a', expect: NaN }",
      "{ expect: 1 }", "{ append: 'a', size: -1 }", "{ append: 'a', contents: 1 }",
      "{ copy: '/a', to: 'b' }",
      "{ link: '/a', to: 'b' }", "{ move: 'a', to: 'b', size: 1 }",
      "{ perform: 1 }", "{ perform: null }", "{ perform: ['p'] }",
      "{ perform: 'p', with: [] }", "{ perform: 'p', with: 'x' }", "{ perform: 'p', with: null }",
      "{ perform: 'p', in: 1 }", "{ perform: 'p', in: 'group.a' }", "{ perform: 'p', in: 'a' }",
      "{ perform: 'p', in: 'a.\(String(repeating: "b", count: 155))' }",
      "{ perform: 'p', arguments: {} }", "{ with: {} }", "{ perform: '' }",
      "{ run: './tool' }", "{ run: [] }", "{ run: [''] }", "{ run: ['', 'a'] }", "{ run: [1] }",
      "{ run: ['t', 1] }", "{ run: ['t', ['a']] }", "{ run: ['t', null] }", "{ run: ['a\\0'] }",
      "{ run: ['t', '\\0'] }", "{ run: ['t', 'a\\0b'] }", "{ run: null }", "{ run: {} }",
      "{ run: [\(words(257))] }", "{ run: ['t'], timeLimit: 0 }",
      "{ run: ['t'], timeLimit: -0 }", "{ run: ['t'], timeLimit: -1 }",
      "{ run: ['t'], timeLimit: 3600.5 }", "{ run: ['t'], timeLimit: '5' }",
      "{ run: ['t'], timeLimit: null }", "{ run: ['t'], timeLimit: NaN }",
      "{ run: ['t'], timeLimit: Infinity }", "{ run: ['t'], timelimit: 1 }",
      "{ run: ['t'], with: {} }", "{ run: ['t'], perform: 'p' }", "{ timeLimit: 1 }",
    ])

  /// An identifier that is as long as one may be.
  static let longest = "com.\(String(repeating: "a", count: 151))"

  /// A tool and its arguments, as many words in all as a list holds them.
  private static func words(_ count: Int) -> String {
    Array(repeating: "'a'", count: count).joined(separator: ", ")
  }

  /// `throws`, `mayThrow` and `killed` beside every step of the app, which are alike.
  static let ofFailures = [
    "createDirectory: 'a'", "save: 'a', size: 1", "append: 'a', size: 1", "exclude: 'a'",
    "include: 'a'", "move: 'a', to: 'b'", "copy: 'a', to: 'b'", "remove: 'a'",
    "link: 'a', to: 'b'", "read: 'a'", "read: 'a', ifMissing: 'recreate', size: 1",
    "perform: 'p'", "run: ['t']", "setDefault: { a: 1 }", "readDefault: 'a'",
    "setKeychainItem: 'a'", "readKeychainItem: 'a'",
    "removeKeychainItem: 'a'",
  ].flatMap { step in
    let ends = accepted.map { "{ \(step), \($0) }" }
    let noEnds = refused.map { "{ \(step), \($0) }" }
    return steps(accepted: ends, refused: noEnds)
  }

  /// How a step may end.
  private static let accepted: [String] =
    ["true", "false", "'noSuchFile'", "'fileExists'", "'unavailable'"].map { "throws: \($0)" }
    + ["mayThrow: true", "mayThrow: false"] + kills.map { "killed: \($0)" }
  private static let refused: [String] =
    ["null", "1", "''", "'any'", "'intoItself'", "[true]"].map { "throws: \($0)" }
    + ["null", "1", "'true'", "{}", "[]"].map { "mayThrow: \($0)" }
    + noKills.map { "killed: \($0)" }

  /// `storageFull` beside the steps that run code, and a start.
  static let ofFullStorage = ["perform: 'p'", "run: ['t']", "relaunch: {}"].flatMap { step in
    steps(
      accepted: [
        "{}", "{ path: 'a' }", "{ occurrence: 1 }", "{ path: 'a/b', occurrence: 10000 }",
      ].map { "{ \(step), storageFull: \($0) }" },
      refused: [
        "null", "true", "'a'", "[]", "{ before: 'write' }", "{ path: '/a' }", "{ path: 1 }",
        "{ occurrence: 0 }", "{ occurrence: 10001 }", "{ occurrence: 1.5 }", "{ occurrence: '1' }",
      ].map { "{ \(step), storageFull: \($0) }" })
  }

  /// What `killed` may say.
  private static let kills =
    ["create", "write", "rename", "remove", "createDirectory", "mark", "unmark"]
    .map { "{ before: '\($0)' }" } + [
      "{ before: 'mark', path: 'a' }", "{ occurrence: 1, before: 'mark' }",
      "{ before: 'mark', path: 'a/b', occurrence: 10000 }", "{ before: 'mark', occurrence: 2.0 }",
    ]
  private static let noKills = [
    "null", "true", "'mark'", "[]", "{}", "{ path: 'a' }", "{ before: 'save' }",
    "{ before: ['mark'] }", "{ before: null }", "{ before: 'mark', path: '/a' }",
    "{ before: 'mark', path: 1 }", "{ before: 'mark', occurrence: 0 }",
    "{ before: 'mark', occurrence: 10001 }", "{ before: 'mark', occurrence: 1.5 }",
    "{ before: 'mark', occurrence: '1' }", "{ before: 'mark', to: 'b' }",
  ]

  /// `on` beside every step, which are alike.
  static let ofAppVersions = whole(
    accepted: [
      "'1.0'", "['1.0', '2']", "{ from: '1.0' }", "{ before: '2' }", "{ from: '1', before: '2' }",
    ].map { text("save: 'a', size: 1", with: $0) },
    refused: [
      "null", "true", "1", "{}", "[]", "''", "['']", "[1]", "{ from: 1 }", "{ before: '' }",
      "{ from: '' }", "{ before: 1 }",
      "{ from: '1', to: '2' }",
    ].map { text("save: 'a', size: 1", with: $0) })

  /// A scenario in which a step is done with some versions of the app only.
  private static func text(_ step: String, with versions: String) -> String {
    "{ title: 'T', launch: [{ \(step), app: \(versions) }], steps: [{ backup: 'a' }] }"
  }

  static let ofStepSystems = [
    "createDirectory: 'a'", "save: 'a', size: 1", "append: 'a', size: 1", "exclude: 'a'",
    "include: 'a'", "move: 'a', to: 'b'", "copy: 'a', to: 'b'", "remove: 'a'",
    "link: 'a', to: 'b'", "read: 'a'", "perform: 'p'", "run: ['t']", "backup: 'b'",
    "purge: 'idle'", "updateApp: '2'", "updateSystem: '27'", "restore: 'a'",
    "restore: { label: 'a' }", "restore: { backup: 'a' }", "kill: {}", "restart: {}", "lock: {}",
    "place: 'a', size: 1", "offload: {}", "reinstall: {}",
    "setDefault: { a: 1 }", "readDefault: 'a'", "setKeychainItem: 'a'", "readKeychainItem: 'a'",
    "removeKeychainItem: 'a'",
    "expectFile: { path: 'a', size: 1 }",
    "relaunch: {}",
    "expectFiles: { absent: ['a'] }", "expectBackup: { lacks: ['a'] }",
  ].flatMap { step in
    func text(_ key: String) -> String {
      "{ title: 'T', system: '18', steps: [{ backup: 'a' }, { \(step), \(key) }] }"
    }
    let isOfApp = StepKeyword(rawValue: String(step.prefix { $0 != ":" }))?.traits.actor == .app
    return whole(
      accepted: [text("app: '1.0'")] + (isOfApp ? [text("ifLocked: 'skip'")] : []),
      refused: [text("app: null"), text("ifLocked: 'all'")])
      + whole(
        accepted: ["'18'", "18", "['18', '5.0.1']"].map { Self.text(step, on: $0) },
        refused: ["null", "true", "{}", "[]", "'4'", "['4']", "['18', '18']", "''", "[null]"]
          .map { Self.text(step, on: $0) })
  }

  /// `in` beside every step of the app that an extension can do, which are alike, and beside some others.
  static let ofExtensions =
    [
      "createDirectory: 'group.x:/a'", "save: 'group.x:/a', size: 1",
      "append: 'group.x:/a', size: 1",
      "exclude: 'group.x:/a'", "include: 'group.x:/a'", "move: 'group.x:/a', to: 'group.x:/b'",
      "copy: 'group.x:/a', to: 'com.example.app.w:/b'", "remove: 'com.example.app.w:/a'",
      "link: 'group.x:/a', to: 'group.x:/b'", "read: 'group.x:/a'", "perform: 'p'",
      "setDefault: { a: 1 }", "readDefault: 'a'",
    ].flatMap { step in
      whole(
        accepted: [text(step, in: "'com.example.app.w'")],
        refused: ["1", "null", "'group.x'", "'a'"].map { text(step, in: $0) })
    }
    + whole(
      refused: [
        "setKeychainItem: 'a'", "readKeychainItem: 'a'", "run: ['t']", "relaunch: {}",
        "backup: 'b'",
        "place: 'group.x:/a', size: 1", "expectFiles: { absent: ['a'] }",
      ].map { text($0, in: "'com.example.app.w'") })

  /// A scenario in which an extension does a step.
  private static func text(_ step: String, in extensionIdentifier: String) -> String {
    "{ title: 'T', app: { groups: ['group.x'], extensions: ['com.example.app.w'] }, "
      + "steps: [{ \(step), in: \(extensionIdentifier) }] }"
  }

  /// A scenario in which a step is done on some systems only.
  private static func text(_ step: String, on systems: String) -> String {
    "{ title: 'T', system: ['5.0.1', '18'], steps: [{ backup: 'a' }, { \(step), on: \(systems) }] }"
  }

  static let ofSystemSteps = steps(
    accepted: [
      "{ backup: 'b' }", "{ backup: ' ' }", "{ purge: 'lowStorage' }", "{ purge: 'idle' }",
      "{ purge: 'criticalStorage' }", "{ purge: ['tmp'] }",
      "{ purge: ['Library/Caches/**', 'tmp/', 'tmp/*/a?'] }", "{ updateApp: '2.0' }",
      "{ updateApp: ' ' }", "{ updateApp: '2', keeping: [] }",
      "{ updateApp: '2', keeping: ['tmp', 'a/b'] }", "{ updateApp: '2', losing: [] }",
      "{ updateApp: '2', losing: ['Library/Caches', 'Library/Caches/', 'Library/Caches/**'] }",
      "{ updateApp: '2', keeping: ['tmp'], losing: ['tmp/*', 'Own', 'StoreKit/**', 'x'] }",
      "{ backup: 'b' }, { restore: 'b' }",
      "{ backup: 'a' }, { backup: 'b' }, { restore: 'a' }, { restore: 'b' }, { restore: 'a' }",
      "{ backup: '\u{E9}' }, { restore: 'e\u{301}' }", "{ relaunch: {} }",
      "{ kill: {} }", "{ place: 'Documents/Inbox/a', size: '1 KB' }",
      "{ restart: {} }", "{ restart: { locked: false } }", "{ lock: {} }",
      "{ restart: { locked: true } }, { unlock: {} }", "{ lock: {} }, { unlock: {} }",
      "{ lock: {} }, { unlock: {}, app: ['1.0'] }, { lock: {} }, { unlock: {}, on: ['27'] }",
      "{ place: 'a', contents: '' }",
      "{ offload: {} }", "{ offload: {} }, { reinstall: {} }, { place: 'a', size: 1 }",
      "{ reinstall: {} }", "{ backup: 'b' }, { restore: { label: 'b' } }",
      "{ backup: 'b' }, { restore: { label: 'b', to: 'sameDevice' } }",
      "{ backup: 'b' }, { restore: { label: 'b', to: 'newDevice' } }",
      "{ restore: { backup: 'a', to: 'sameDevice' } }",
      "{ restore: { backup: 'a', to: 'newDevice' } }",
      "{ backup: 'b' }, { restore: { to: 'newDevice', label: 'b' } }",
      "{ backup: 'b' }, { restore: { label: 'b', to: 'transfer' } }",
      "{ restore: { backup: 'a' } }", "{ restore: { backup: 'a/b/', app: 'com.example.b' } }",
      "{ restore: { app: 'a', to: 'transfer', backup: 'a' } }",
    ],
    refused: [
      "{ backup: '' }", "{ backup: 1 }", "{ backup: null }", "{ backup: {} }",
      "{ readDefault: 'a', key: 'b' }", "{ restore: { backup: 'a', app: '\(longest).c' } }",
      "{ backup: 'b', throws: true }", "{ backup: 'b', mayThrow: true }",
      "{ backup: 'b', mayThrow: false }", "{ backup: 'b', killed: { before: 'mark' } }",
      "{ backup: 'b', storageFull: {} }", "{ save: 'a', size: 1, storageFull: {} }",
      "{ backup: 'b', label: 'c' }", "{ purge: 'low' }",
      "{ purge: '' }", "{ purge: {} }", "{ purge: true }", "{ purge: null }", "{ purge: [1] }",
      "{ purge: 'tmp' }", "{ purge: ['Documents'] }", "{ purge: ['Library'] }",
      "{ purge: ['Library/Caches*/a'] }", "{ purge: ['tmp*'] }", "{ purge: ['tmpfoo/a'] }",
      "{ purge: ['**'] }", "{ purge: ['?mp/a'] }", "{ purge: ['tmp//a'] }",
      "{ purge: ['tmp/../Documents'] }", "{ purge: ['Library/Caches2'] }",
      "{ purge: ['tmp', ''] }", "{ purge: 'lowStorage', throws: true }", "{ updateApp: 2 }",
      "{ updateApp: null }", "{ updateApp: '2', keeping: 'tmp' }",
      "{ updateApp: '2', keeping: [1] }", "{ updateApp: '2', keeping: null }",
      "{ updateApp: '2', losing: 'tmp' }", "{ updateApp: '2', losing: ['Documents'] }",
      "{ updateApp: '2', losing: ['Documents/**'] }", "{ updateApp: '2', losing: ['Library'] }",
      "{ updateApp: '2', losing: ['Library/a'] }", "{ updateApp: '2', losing: ['**'] }",
      "{ updateApp: '2', losing: ['Library/Caches*'] }", "{ updateApp: '2', losing: ['?mp'] }",
      "{ updateApp: '2', losing: ['t*/a'] }", "{ updateApp: '2', losing: ['/tmp'] }",
      "{ updateApp: '2', losing: [''] }", "{ updateApp: '2', losing: [1] }",
      "{ losing: ['tmp'] }", "{ updateApp: '2', losing: ['Documents/'] }",
      "{ updateApp: '2', keeping: ['/tmp'] }", "{ updateApp: '2', throws: true }",
      "{ keeping: ['tmp'] }", "{ updateSystem: ['18'] }", "{ updateSystem: '18', to: '26' }",
      "{ updateSystem: '18', throws: true }", "{ restore: 1 }", "{ restore: null }",
      "{ restore: '' }", "{ backup: 'b' }, { restore: '' }", "{ backup: 'b' }, { restore: ['b'] }",
      "{ backup: 'b' }, { restore: 'b', throws: true }", "{ updateApp: '' }", "{ purge: [] }",
      "{ place: 'a' }", "{ place: 'a', size: 1, contents: '' }", "{ place: 1, size: 1 }",
      "{ place: '/a', size: 1 }", "{ place: 'a', size: 1, how: 'inPlace' }",
      "{ place: 'a', size: 1, throws: true }", "{ place: null, size: 1 }",
      "{ place: 'a', size: -1 }",
      "{ place: 'a', contents: 1 }", "{ offload: true }", "{ offload: [] }",
      "{ offload: { a: 1 } }",
      "{ offload: {}, throws: true }", "{ offload: null }", "{ reinstall: true }",
      "{ reinstall: [] }", "{ reinstall: { a: 1 } }", "{ reinstall: {}, throws: true }",
      "{ reinstall: null }", "{ backup: 'b' }, { restore: {} }",
      "{ backup: 'b' }, { restore: { to: 'sameDevice' } }",
      "{ backup: 'b' }, { restore: { label: 'b', to: 'device' } }",
      "{ backup: 'b' }, { restore: { label: 'b', to: null } }",
      "{ backup: 'b' }, { restore: { label: '' } }", "{ backup: 'b' }, { restore: { label: 1 } }",
      "{ backup: 'b' }, { restore: { label: 'b', from: 'b' } }",
      "{ backup: 'b' }, { restore: { label: 'b', backup: 'b' } }",
      "{ backup: 'b' }, { restore: { label: 'b', app: 'a' } }", "{ restore: { app: 'a' } }",
      "{ restore: { backup: '' } }", "{ restore: { backup: '/a' } }",
      "{ restore: { backup: '../a' } }", "{ restore: { backup: 'a/..' } }",
      "{ restore: { backup: 1 } }", "{ restore: { backup: 'a', app: 'a..b' } }",
      "{ restore: { backup: 'a', app: null } }", "{ restore: { backup: 'a', to: 'device' } }",
      "{ backup: 'b' }, { restore: 'b', to: 'sameDevice' }", "{ to: 'sameDevice' }",
      "{ kill: true }", "{ kill: null }", "{ kill: [] }", "{ kill: { a: 1 } }",
      "{ restart: true }", "{ restart: { locked: 1 } }", "{ restart: { a: 1 } }",
      "{ restart: {}, throws: true }", "{ lock: true }", "{ lock: { a: 1 } }", "{ unlock: null }",
      "{ lock: {} }, { unlock: {}, app: {} }", "{ lock: {} }, { unlock: {}, on: 1 }",
      "{ lock: {} }, { unlock: { a: 1 } }", "{ lock: {}, ifLocked: 'skip' }",
      "{ restart: {}, locked: true }",
      "{ kill: {}, throws: true }", "{ relaunch: true }", "{ relaunch: null }", "{ relaunch: [] }",
      "{ relaunch: { a: 1 } }",
      "{ relaunch: {}, throws: true }", "{ relaunch: {}, killed: {} }",
    ])

  static let ofAssertions = steps(
    accepted: [
      "{ expectFiles: { present: ['a'] } }", "{ expectFiles: { absent: [] } }",
      "{ expectFiles: { present: ['a', 'b/**'], absent: ['c'] } }",
      "{ expectFile: { path: 'a', contents: '' } }", "{ expectFile: { size: '1 KB', path: 'a' } }",
      "{ backup: 'b' }, { expectFile: { path: 'a', sameAs: 'b' } }",
      "{ backup: 'b' }, { expectBackup: { contains: ['a'] } }",
      "{ backup: 'b' }, { expectBackup: { lacks: ['**/a'], contains: [] } }",
    ],
    refused: [
      "{ expectFile: {} }", "{ expectFile: 'a' }", "{ expectFile: { path: 'a' } }",
      "{ expectFile: { contents: 'a' } }", "{ expectFile: { path: 'a', contents: 'a', size: 1 } }",
      "{ backup: 'b' }, { expectFile: { path: 'a', contents: 'a', sameAs: 'b' } }",
      "{ backup: 'b' }, { expectFile: { path: 'a', size: 1, sameAs: 'b' } }",
      "{ expectFile: { path: '/a', size: 1 } }", "{ expectFile: { path: 'a', size: -1 } }",
      "{ backup: 'b' }, { expectFile: { path: 'a', sameAs: '' } }",
      "{ backup: 'b' }, { expectFile: { path: 'a', sameAs: null } }",
      "{ expectFile: { path: 'a', contents: 1 } }",
      "{ expectFile: { path: 'a', size: 1, to: 'b' } }",
      "{ expectFile: { path: 'a', size: 1 }, throws: true }",
      "{ expectFiles: {} }", "{ expectFiles: [] }", "{ expectFiles: ['a'] }",
      "{ expectFiles: null }", "{ expectFiles: { present: 'a' } }",
      "{ expectFiles: { absent: 'a' } }", "{ expectFiles: { present: [1] } }",
      "{ expectFiles: { present: null } }",
      "{ expectFiles: { contains: ['a'] } }", "{ expectFiles: { present: [], lacks: [] } }",
      "{ expectFiles: { absent: ['a'] }, throws: true }", "{ expectFiles: { present: ['/a'] } }",
      "{ backup: 'b' }, { expectBackup: {} }",
      "{ expectBackup: {} }", "{ expectBackup: 'a' }", "{ expectBackup: { lacks: 'a' } }",
      "{ expectBackup: { lacks: [null] } }", "{ expectBackup: { absent: ['a'] } }",
      "{ expectBackup: { contains: 'a' } }", "{ expectBackup: { contains: ['/a'] } }",
      "{ backup: 'b' }, { expectBackup: { contains: ['a'] }, label: 'b' }",
      "{ backup: 'b' }, { expectBackup: { contains: ['a'] }, throws: 'noSuchFile' }",
      "{ backup: 'b' }, { expectBackup: { contains: ['a'] }, expectFiles: { absent: ['a'] } }",
    ])

  /// Steps at every launch: the app's and assertions.
  static let ofLaunch = launch(
    accepted: [
      "{ perform: 'p' }", "{ save: 'a', size: 1 }, { exclude: 'a', throws: true }",
      "{ expectFiles: { present: ['a'] } }", "{ expectBackup: { lacks: ['a'] } }",
      "{ run: ['./tool', 'a'], timeLimit: 5 }",
    ],
    refused: [
      "{ backup: 'b' }", "{ purge: 'lowStorage' }", "{ updateApp: '2' }", "{ updateSystem: '26' }",
      "{ restore: 'b' }", "{ relaunch: {} }", "{}", "'perform'", "{ perform: 'p' }, { launch: [] }",
    ])

  /// Expected findings, of a scenario with two steps and one launch step.
  static let ofExpectations = expect(
    accepted: [
      "{ rule: 'reapply-on-save' }", "{ rule: 'backup-budget', step: 1 }",
      "{ rule: 'directory-name', step: 2.0 }", "{ rule: 'undeclared-item', step: 'launch 1' }",
      "{ rule: 'user-data-excluded', path: 'a' }", "{ path: 'a/', rule: 'deprecated-mark' }",
      "{ rule: 'incomplete-group', system: '18' }",
      "{ rule: 'storage-budget' }", "{ rule: 'misplaced-item' }", "{ rule: 'secret-backed-up' }",
      "{ rule: 'user-data-lost' }", "{ rule: 'half-done' }",
      "{ rule: 'user-data-lost' }", "{ rule: 'app-check-failed' }",
      "{ rule: 'names-missing-file' }", "{ rule: 'refused-place' }",
      "{ rule: 'backup-budget', system: [5, '5'] }",
      "{ rule: 'exists-before-use', backups: 'local' }",
      "{ rule: 'exists-before-set' }", "{ rule: 'system-directory-marked' }",
      "{ rule: 'user-data-purgeable' }", "{ rule: 'recreatable-data-backed-up' }",
      "{ rule: 'stale-container-path' }", "{ rule: 'temporary-left-behind' }",
      "{ rule: 'mark-unavailable', backups: ['local', 'iCloud', 'local'] }",
      "{ rule: 'backup-budget', severity: 'error' }",
      "{ severity: 'warning', rule: 'backup-budget' }",
      "{ rule: 'backup-budget', severity: 'advice', step: 1 }",
    ],
    refused: [
      "{}", "{ step: 1 }", "{ rule: 'reapply' }", "{ rule: '' }", "{ rule: 1 }", "{ rule: null }",
      "{ rule: ['backup-budget'] }", "{ rule: 'backup-budget', step: 0 }",
      "{ rule: 'backup-budget', step: -1 }", "{ rule: 'backup-budget', step: 1.5 }",
      "{ rule: 'backup-budget', step: '1' }", "{ rule: 'backup-budget', step: 10001 }",
      "{ rule: 'backup-budget', step: Infinity }", "{ rule: 'backup-budget', step: NaN }",
      "{ rule: 'backup-budget', step: 'launch' }", "{ rule: 'backup-budget', step: 'launch 0' }",
      "{ rule: 'backup-budget', step: 'launch +1' }",
      "{ rule: 'backup-budget', step: 'launch 01' }",
      "{ rule: 'backup-budget', step: 'launch 1 ' }",
      "{ rule: 'backup-budget', step: 'launch  1' }",
      "{ rule: 'backup-budget', step: 'Launch 1' }", "{ rule: 'backup-budget', step: [1] }",
      "{ rule: 'backup-budget', step: null }", "{ rule: 'backup-budget', step: true }",
      "{ rule: 'backup-budget', path: '/a' }", "{ rule: 'backup-budget', path: null }",
      "{ rule: 'backup-budget', system: [] }",
      "{ rule: 'backup-budget', system: ['18', '19'] }", "{ rule: 'backup-budget', system: null }",
      "{ rule: 'backup-budget', backups: [] }", "{ rule: 'backup-budget', backups: 'cloud' }",
      "{ rule: 'backup-budget', backups: [['local']] }", "{ rule: 'backup-budget', line: 1 }",
      "{ rule: 'backup-budget', severity: 'note' }", "{ rule: 'backup-budget', severity: '' }",
      "{ rule: 'backup-budget', severity: null }", "{ rule: 'backup-budget', severity: 1 }",
      "{ rule: 'backup-budget', severity: ['error'] }",
      "{ rule: 'backup-budget', severity: 'Error' }", "{ severity: 'error' }",
    ])
}

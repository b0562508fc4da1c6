import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupJSON5

extension Scenario.Step {
  /// The step in the form of a scenario file.
  package var fileValue: LocatedValue {
    var value = LocatedValue.object([])
    for (key, member) in action.members { value.set(key, member) }
    value.set(Self.extensionField.key, extensionIdentifier.map(LocatedValue.string))
    switch expectedFailure {
    case .any: value.set(ExpectedFailure.field.key, .true)
    case .code(let code): value.set(ExpectedFailure.field.key, .string(code.name))
    case nil: break
    }
    if mayThrow { value.set(Self.mayThrowField.key, .true) }
    if let interruptionPoint {
      let field =
        interruptionPoint.isStorageFull
        ? Scenario.InterruptionPoint.storageFullField : Scenario.InterruptionPoint.field
      value.set(field.key, interruptionPoint.fileValue)
    }
    if let systems {
      let systemNames = systems.value.sorted().map(\.description)
      value.set(
        Self.systemsField.key,
        systemNames.count == 1 ? .string(systemNames[0]) : .strings(systemNames))
    }
    if let appVersions { value.set(Self.appVersionsField.key, appVersions.value.fileValue) }
    value.set(Self.ifLockedField.key, ifLocked.map { .string($0.rawValue) })
    return value
  }

  /// Returns true if the app does the same in both steps, with the same arguments.
  func repeats(_ other: Scenario.Step) -> Bool {
    extensionIdentifier == other.extensionIdentifier
      && LocatedValue.lines(of: action.members) == LocatedValue.lines(of: other.action.members)
  }
}

extension LocatedValue {
  fileprivate static func lines(of members: [(String, LocatedValue?)]) -> [String] {
    members.map { "\($0): \($1?.singleLineText ?? "")" }
  }
}

extension StepAction {
  /// The keys of the step with their values, the keyword first. A default value is nil.
  fileprivate var members: [(String, LocatedValue?)] {
    let (keywordValue, otherMembers) = memberValues
    return [(keyword.rawValue, keywordValue)] + otherMembers
  }

  /// The value of the keyword, and the other keys with their values.
  private var memberValues: (keywordValue: LocatedValue, otherMembers: [(String, LocatedValue?)]) {
    switch self {
    case .app(let step): return step.memberValues
    case .code(.perform(let name, with: let arguments)):
      let members = arguments.members
      let value = LocatedValue(kind: .object(members), position: .start)
      return (.string(name), [("with", members.isEmpty ? nil : value)])
    case .code(.run(let words, timeLimit: let timeLimit)):
      return (
        .strings(words),
        [("timeLimit", timeLimit == CodeStep.usualTimeLimit ? nil : .real(timeLimit))]
      )
    case .system(let step): return step.memberValues
    case .relaunch: return (.object([]), [])
    case .check(.file(let path, .contents(let contents))):
      let members = [("path", LocatedValue.path(path))] + contents.members
      return (.object(members.map { (key: $0, value: $1) }), [])
    case .check(.file(let path, .sameAs(let label))):
      return (.object([("path", .path(path)), ("sameAs", .string(label))]), [])
    case .check(.files(let patterns)): return (patterns.value("present", "absent"), [])
    case .check(.backup(let patterns)): return (patterns.value("contains", "lacks"), [])
    }
  }
}

extension AppStep {
  fileprivate var memberValues:
    (keywordValue: LocatedValue, otherMembers: [(String, LocatedValue?)])
  {
    switch self {
    case .change(let operation, let changeOptions):
      return (
        .path(operation.usedPath),
        operation.members + [
          (Field.protection.key, changeOptions.protection.map { .string($0.rawValue) }),
          ("ifMissing", changeOptions.checks.contains(.itemExists) ? .string("skip") : nil),
          ("ifExists", changeOptions.checks.contains(.targetIsFree) ? .string("skip") : nil),
        ]
      )
    case .linkAbsolutely(let path, to: let target):
      return (.path(path), [("to", .path(target)), ("absolute", .true)])
    case .read(let path, ifMissing: .unchecked): return (.path(path), [])
    case .read(let path, ifMissing: .skipped):
      return (.path(path), [("ifMissing", .string("skip"))])
    case .read(let path, ifMissing: .recreated(let contents)):
      return (.path(path), [("ifMissing", .string("recreate"))] + contents.members)
    case .setDefaults(let defaults, suite: let suite):
      let members = defaults.map { (key: $0.key, value: $0.value.fileValue) }
      return (.object(members), [("suite", suite.map(LocatedValue.string))])
    case .readDefault(let key, expected: let expected, suite: let suite):
      return (
        .string(key), [("expect", expected?.fileValue), ("suite", suite.map(LocatedValue.string))]
      )
    case .setKeychainItem(let name, let item): return (.string(name), item.members)
    case .readKeychainItem(let name, let ifMissing, let expected):
      let members: [(String, LocatedValue?)] =
        switch ifMissing {
        case .unchecked: []
        case .skipped: [("ifMissing", .string("skip"))]
        case .recreated(let item): [("ifMissing", .string("recreate"))] + item.members
        }
      return (.string(name), members + [("expect", expected?.fileValue)])
    case .removeKeychainItem(let name): return (.string(name), [])
    case .sealed(let step, with: let name):
      let (keywordValue, otherMembers) = step.memberValues
      return (keywordValue, otherMembers + [(Field.sealedWith.key, .string(name))])
    }
  }
}

extension KeychainItem {
  fileprivate var members: [(String, LocatedValue?)] {
    [
      ("accessibility", accessibility == .ordinary ? nil : .string(accessibility.rawValue)),
      ("value", value?.fileValue),
    ]
  }
}

extension FileOperation {
  fileprivate var members: [(String, LocatedValue?)] {
    switch self {
    case .createDirectory(_, let intermediates):
      [("intermediates", intermediates ? nil : .false)]
    case .write(_, let contents, method: let method):
      contents.members + [("how", method == .atomically ? nil : .string(method.rawValue))]
    case .append(_, let contents): contents.members
    case .move(_, to: let path, let replacing):
      [("to", .path(path)), ("over", replacing ? .true : nil)]
    case .copy(_, to: let path): [("to", .path(path))]
    case .remove: []
    case .link(_, let destination): [("to", .path(destination))]
    case .setMark(let mark, on: _, to: _):
      [("using", mark == .resourceValue ? nil : .string(mark.description))]
    }
  }
}

extension SystemStep {
  fileprivate var memberValues:
    (keywordValue: LocatedValue, otherMembers: [(String, LocatedValue?)])
  {
    switch self {
    case .backup(let label): return (.string(label), [])
    case .purge(.files(let patterns)): return (.strings(patterns.map(\.description)), [])
    case .purge(let pressure): return (.string(pressure.description), [])
    case .updateApp(to: let version, keeping: let keptPaths, losing: let lostPatterns):
      return (
        .string(version),
        [
          ("keeping", keptPaths.isEmpty ? nil : .array(keptPaths.map(LocatedValue.path))),
          ("losing", lostPatterns.isEmpty ? nil : .strings(lostPatterns.map(\.description))),
        ]
      )
    case .updateSystem(to: let system): return (.string(system.name), [])
    case .restore(let label, to: .newDevice): return (.string(label), [])
    case .restore(let label, to: let destination):
      return (.object([("label", .string(label)), ("to", .string(destination.rawValue))]), [])
    case .restoreFolder(let place, to: let destination):
      var value = LocatedValue.object([("backup", .string(place.path))])
      value.set("app", place.app.map(LocatedValue.string))
      value.set("to", destination == .newDevice ? nil : .string(destination.rawValue))
      return (value, [])
    case .place(let contents, at: let path): return (.path(path), contents.members)
    case .lock(.lockedRestart):
      var value = LocatedValue.object([])
      value.set("locked", .true)
      return (value, [])
    case .offload, .reinstall, .kill, .lock: return (.object([]), [])
    }
  }
}

extension FileOperation.Contents {
  fileprivate var members: [(String, LocatedValue)] {
    switch self {
    case .zeros(let size): [("size", .size(size))]
    case .bytes(let bytes): [("contents", .string(String(decoding: bytes, as: UTF8.self)))]
    }
  }
}

extension ExpectedPatterns {
  fileprivate func value(_ expectedKey: String, _ unexpectedKey: String) -> LocatedValue {
    var value = LocatedValue.object([])
    for (key, patterns) in [(expectedKey, expectedPatterns), (unexpectedKey, unexpectedPatterns)]
    where !patterns.isEmpty {
      value.set(key, .strings(patterns.map(\.description)))
    }
    return value
  }
}

extension StoredValue {
  fileprivate var fileValue: LocatedValue {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .real(Double(number))
    case .real(let number): .real(number)
    case .boolean(let isTrue): isTrue ? .true : .false
    }
  }
}

extension ExpectedDefault {
  fileprivate var fileValue: LocatedValue {
    switch self {
    case .value(let value): value.fileValue
    case .nothing: LocatedValue(kind: .null, position: .start)
    }
  }
}

extension LocatedValue {
  fileprivate static let `true` = LocatedValue(kind: .bool(true), position: .start)
  fileprivate static let `false` = LocatedValue(kind: .bool(false), position: .start)

  /// Returns a path in the form of a scenario file. In contrast to the path's description, the
  /// result has no escapes.
  static func path(_ path: ContainerPath) -> LocatedValue {
    .string(String(decoding: path.bytes, as: UTF8.self))
  }

  static func strings(_ texts: [String]) -> LocatedValue {
    .array(texts.map(LocatedValue.string))
  }

  fileprivate static func real(_ number: Double) -> LocatedValue {
    let literal = Int64(exactly: number).map(String.init) ?? "\(number)"
    let kind = JSON5Number(literal: literal).map(Kind.number) ?? .null
    return LocatedValue(kind: kind, position: .start)
  }

  /// Returns a size as text, such as `1.5 MB`, in the largest unit in which one decimal digit is
  /// enough.
  fileprivate static func size(_ bytes: Int64) -> LocatedValue {
    let units: [(name: String, bytes: Int64)] = [
      ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000),
    ]
    guard let unit = units.first(where: { bytes >= $0.bytes && bytes % ($0.bytes / 10) == 0 })
    else { return .real(Double(bytes)) }
    let (whole, remainder) = bytes.quotientAndRemainder(dividingBy: unit.bytes)
    let tenths = remainder / (unit.bytes / 10)
    return .string("\(whole)\(tenths == 0 ? "" : ".\(tenths)") \(unit.name)")
  }
}

import TestSupport

@testable import BackupDiagnostics
@testable import BackupJSON5
@testable import BackupRules
@testable import BackupScenarios

/// Changes scenarios a little at random, so that most become invalid and some stay valid.
struct ScenarioMutator {
  /// The source of every choice.
  private var random: SeededGenerator
  /// Keys of scenarios, and similar ones.
  private let keys: [String]
  /// Words, paths, sizes and versions, valid and invalid.
  private let texts: [String]

  /// Creates a mutator that also uses the keys and texts of some scenarios.
  init(seed: UInt64, learningFrom documents: [LocatedValue]) {
    self.random = SeededGenerator(seed: seed)
    var keys = Set(StepKind.keywords + Self.oddKeys)
    var texts = Set(Self.oddTexts + RuleList.names)
    for document in documents { document.gather(&keys, &texts) }
    self.keys = keys.sorted()
    self.texts = texts.sorted()
  }

  /// Returns a document with one to three changes.
  mutating func mutant(of document: LocatedValue) -> LocatedValue {
    var document = document
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<document.nodeCount, using: &random)
      document = document.replacingNode(at: index) { change($0) }
    }
    return document
  }

  /// Returns a value with one change.
  private mutating func change(_ value: LocatedValue) -> LocatedValue {
    if Int.random(in: 0..<6, using: &random) == 0 { return scalar() }
    let kind: LocatedValue.Kind =
      switch value.kind {
      case .object(let members): .object(change(members))
      case .array(let elements): .array(change(elements))
      case .string(let text): change(text)
      case .number, .bool, .null: scalar().kind
      }
    return LocatedValue(kind: kind, position: value.position)
  }

  /// Returns members of which one is removed, renamed, changed, copied or added.
  private mutating func change(_ members: [LocatedValue.Member]) -> [LocatedValue.Member] {
    var members = members
    let added = LocatedValue.Member(
      key: choice(keys), keyPosition: SourcePosition(line: 1, column: 1), value: scalar())
    guard let index = members.indices.randomElement(using: &random) else { return [added] }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: members.remove(at: index)
    case 2: members[index].key = choice(keys)
    case 3: members[index].value = scalar()
    case 4: members.insert(members[index], at: 0)
    default: members.insert(added, at: index)
    }
    return members
  }

  /// Returns elements of which one is removed, copied, swapped, wrapped or replaced.
  private mutating func change(_ elements: [LocatedValue]) -> [LocatedValue] {
    var elements = elements
    guard let index = elements.indices.randomElement(using: &random) else { return [scalar()] }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: elements.remove(at: index)
    case 1: elements.append(elements[index])
    case 2: elements.swapAt(index, 0)
    case 3: elements[index].kind = .array([elements[index]])
    case 4: elements = []
    default: elements[index] = scalar()
    }
    return elements
  }

  /// Returns a text with an added or removed character, or another value.
  private mutating func change(_ text: String) -> LocatedValue.Kind {
    var scalars = Array(text.unicodeScalars)
    let index = Int.random(in: 0...scalars.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where index < scalars.count: scalars.remove(at: index)
    case 1: scalars.insert(contentsOf: choice(Self.oddPieces).unicodeScalars, at: index)
    case 2: return .array([LocatedValue(kind: .string(text), position: .start)])
    default: return .string(choice(texts))
    }
    return .string(String(String.UnicodeScalarView(scalars)))
  }

  /// Returns a random value without children.
  private mutating func scalar() -> LocatedValue {
    let kind: LocatedValue.Kind =
      switch Int.random(in: 0..<12, using: &random) {
      case 0: .null
      case 1, 2: .bool(Bool.random(using: &random))
      case 3...5: JSON5Number(literal: choice(Self.oddNumbers)).map { .number($0) } ?? .null
      case 6: .array([])
      case 7: .object([])
      default: .string(choice(texts))
      }
    return LocatedValue(kind: kind, position: .start)
  }

  /// Returns a random element.
  private mutating func choice<Element>(_ options: [Element]) -> Element {
    options[Int.random(in: 0..<options.count, using: &random)]
  }
}

extension ScenarioMutator {
  /// Keys that no step has, and keys that only few steps have.
  private static let oddKeys = [
    "", "Title", "step", "label", "$schema", "launch", "budget", "guidance", "intermediates",
    "over", "ifMissing", "keeping", "with", "using", "how", "throws", "size", "contents",
    "timeLimit", "severity", "losing", "storage", "files",
  ]

  /// Texts that are valid for some keys and invalid for others.
  private static let oddTexts = [
    "", " ", "/", "/a", "a/", "a//b", ".", "..", "a/..", "a/../b", "./a", "a\0b", "**", "tmp",
    "tmp/**", "tmp*", "Library/Caches", "Library", "Documents/**", "5", "5.0", "5.0.0", "05",
    "5.1", "18", "19", "26", "1 KB", "1.5 B", "10", "10 ", "1. MB", ".5 MB", "1001 GB", "KB",
    "lowStorage", "criticalStorage", "idle", "newest", "iCloud", "local", "local-encrypted",
    "off", "honoured", "ignored",
    "critical", "support", "offline", "cached", "temporary", "secret", "recreate", "skip",
    "atomically", "inPlace", "deleteFirst", "resourceValue", "extendedAttribute", "none",
    "noSuchFile",
    "fileExists", "unavailable", "notADirectory", "launch 1", "launch 9", "launch 01", "é", "\n",
    "error", "warning", "advice", "./tool",
  ]

  /// Pieces to insert into texts.
  private static let oddPieces = [
    "/", "//", "../", "/..", "/.", ".", "\0", " ", "*", "?", "\n", "é", "\u{301}", "0", "5", "x",
  ]

  private static let oddNumbers = [
    "0", "-0", "1", "2", "5", "5.0", "5.1", "5.10", "+18", "18", "18.0", "26", "0x12", "-1", "0.5",
    "1e3", "1e12", "1e13", "1e300", "10001", "3600", "3601", "Infinity", "NaN",
  ]
}

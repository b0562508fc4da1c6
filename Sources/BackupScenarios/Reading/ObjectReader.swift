import BackupDiagnostics
import BackupJSON5

/// Reads one object of a scenario file by its keys; what nobody asked for is a mistake.
struct ObjectReader {
  /// Where the mistakes go.
  let collector: DiagnosticCollector
  /// Where the object begins.
  let position: SourcePosition
  /// What is in it, by the bytes of its key; of two with the same key the first.
  private var members: [[UInt8]: LocatedValue.Member] = [:]
  /// The keys in the order of the file.
  private var order: [String] = []
  /// The keys that somebody asked for, in the order they were asked for.
  private var knownKeys: [String] = []
  /// The same, for looking up.
  private var knownKeySet: Set<String> = []

  /// Reads an object; anything else is a noted mistake and nil.
  init?(_ value: LocatedValue, expected: String, _ collector: DiagnosticCollector) {
    guard case .object(let members) = value.kind else {
      collector.error("expected \(expected), found \(value.kindName)", at: value.position)
      return nil
    }
    self.collector = collector
    self.position = value.position
    for member in members where self.members.updateIfNew(member) {
      order.append(member.key)
    }
    for member in members where keyPosition(member.key) != member.keyPosition {
      collector.error("'\(member.key.shown)' stands here twice; keep one", at: member.keyPosition)
    }
  }

  /// The keys that are there, in the order of the file.
  var keys: [String] { order }

  /// Where a key stands.
  func keyPosition(_ key: String) -> SourcePosition {
    members[Array(key.utf8)]?.keyPosition ?? position
  }

  /// The value of a key, nil where it is not there.
  mutating func optional(_ key: String) -> LocatedValue? {
    if knownKeySet.insert(key).inserted { knownKeys.append(key) }
    return members[Array(key.utf8)]?.value
  }

  /// The value of a key that must be there.
  mutating func required(_ key: String, _ expected: String) -> LocatedValue? {
    let value = optional(key)
    if value == nil { collector.error("'\(key)' is missing; expected \(expected)", at: position) }
    return value
  }

  /// Notes every key that nobody asked for.
  func refuseUnknownKeys() {
    for key in order where !knownKeySet.contains(key) {
      let advice = NearestWord.advice(for: key, in: knownKeys)
      collector.error("'\(key.shown)' is not known here; \(advice)", at: keyPosition(key))
    }
  }
}

extension [[UInt8]: LocatedValue.Member] {
  /// Keeps a member unless one of its key is there.
  fileprivate mutating func updateIfNew(_ member: LocatedValue.Member) -> Bool {
    let key = Array(member.key.utf8)
    guard self[key] == nil else { return false }
    self[key] = member
    return true
  }
}

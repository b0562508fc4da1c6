import BackupDevice
import BackupFileTree
import BackupVerdicts

extension Inspection {
  /// All items as the page's script reads them; nothing in the JSON can be taken for markup.
  ///
  /// An item is `[parent, name, kind, size, state, reason]`: the index of the directory that it is in,
  /// -1 at the top; `d`, `f`, `l` or `o`; the index of a state and of a reason.
  func pageData(title: String) -> Markup {
    var items = ""
    items.reserveCapacity(64 * set.decisions.count)
    // The reasons, by their place in the list.
    var reasons: [String: Int] = [:]
    // The directories that the next item may be in, with their indices.
    var open: [(path: ContainerPath, index: Int)] = []
    for (index, decision) in set.decisions.enumerated() {
      while let last = open.last, !last.path.isAncestor(of: decision.path) { open.removeLast() }
      if index > 0 { items += ",\n" }
      let cause = cause(of: decision)
      let reason = reasons[cause] ?? reasons.count
      reasons[cause] = reason
      let state = State(decision.verdict).rawValue
      let name = Self.quoted(decision.path.name.description)
      items +=
        "[\(open.last?.index ?? -1),\(name),\"\(decision.kind.letter)\",\(decision.size ?? 0),\(state),\(reason)]"
      if case .directory = decision.kind { open.append((decision.path, index)) }
    }
    let names = reasons.sorted { $0.value < $1.value }.map { Self.quoted($0.key) }
    let states = State.allCases.map { Self.quoted($0.words) }
    let json = """
      {"title":\(Self.quoted(title)),
      "states":[\(states.joined(separator: ","))],
      "reasons":[\(names.joined(separator: ",\n"))],
      "items":[\(items)]}
      """
    return Markup(trusted: Array(json.utf8))
  }

  /// A text as a JSON string; what could end a script is escaped.
  static func quoted(_ text: String) -> String {
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "<"): quoted += "\\u003c".utf8
      case 0..<0x20: quoted += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: quoted.append(byte)
      }
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}

extension BackupSet.Decision.ItemKind {
  fileprivate var letter: String {
    switch self {
    case .file: "f"
    case .directory: "d"
    case .link: "l"
    default: "o"
    }
  }
}

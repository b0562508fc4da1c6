import BackupDevice
import BackupFileTree
import BackupVerdicts

/// All items of an inspection as the page's script reads them.
///
/// An item is `[parent, name, kind, size, state, reason]`: the index of the directory that it is in, -1
/// at the top; `d`, `f`, `l` or `o`; the index of a state and of a reason.
struct InspectionData {
  private var text = ""
  /// The reasons, by their place in the list.
  private var reasons: [String: Int] = [:]
  /// The directories that the next item may be in, with their indices.
  private var open: [(path: ContainerPath, index: Int)] = []

  init(_ inspection: Inspection, title: String) {
    text.reserveCapacity(64 * inspection.set.decisions.count)
    for (index, decision) in inspection.set.decisions.enumerated() {
      while let last = open.last, !last.path.isAncestor(of: decision.path) { open.removeLast() }
      if index > 0 { text += ",\n" }
      text += item(decision, inspection.cause(of: decision))
      if case .directory = decision.kind { open.append((decision.path, index)) }
    }
    let names = reasons.sorted { $0.value < $1.value }.map { Self.quoted($0.key) }
    let states = Inspection.State.allCases.map { Self.quoted($0.words) }
    text = """
      {"title":\(Self.quoted(title)),
      "states":[\(states.joined(separator: ","))],
      "reasons":[\(names.joined(separator: ",\n"))],
      "items":[\(text)]}
      """
  }

  /// The JSON, in which nothing can be taken for markup.
  var json: Markup { Markup(trusted: Array(text.utf8)) }

  private mutating func item(_ decision: BackupSet.Decision, _ cause: String) -> String {
    let reason = reasons[cause] ?? reasons.count
    reasons[cause] = reason
    let state = Inspection.State(decision.verdict).rawValue
    let name = Self.quoted(decision.path.name.description)
    return
      "[\(open.last?.index ?? -1),\(name),\"\(decision.kind.letter)\",\(decision.size ?? 0),\(state),\(reason)]"
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

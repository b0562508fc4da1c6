import BackupDiagnostics
import BackupJSON5

/// Says that an action is not bound, with the Swift to paste.
enum UnboundAction {
  static func message(_ name: String, _ arguments: ActionArguments, bound: [String]) -> String {
    let near =
      NearestWord.to(name, in: bound).map { "did you mean '\($0)'? If not, bind" } ?? "bind"
    var names: Set<String> = ["action", "actions"]
    let lines = arguments.members.map { member in
      let name = variable(member.key, &names)
      return "      let \(name): \(SwiftType(of: member.value)) = "
        + "try action.argument(\(member.key.debugDescription))"
    }
    return """
      the action '\(EscapedText.escape(name))' is not bound; \(near) it in the test:
          actions.bind(\(name.debugDescription)) { action in
      \(lines.map { "\($0)\n" }.joined())      // the app's own code, in action.container.url
          }
      """
  }

  /// A name for a variable that no other has: the key's letters and digits, `firstName`.
  private static func variable(_ key: String, _ names: inout Set<String>) -> String {
    let words = key.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let joined = words.dropFirst().reduce(String(words.first ?? "")) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
    let base = joined.first?.isLetter == true ? joined : "value"
    let numbered = sequence(first: 2) { $0 + 1 }.lazy.map { "\(base)\($0)" }
    let name = names.contains(base) ? numbered.first { !names.contains($0) } ?? base : base
    names.insert(name)
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// The words that Swift takes for a name in backticks only.
  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}

/// The Swift type that the value of an argument fits.
private indirect enum SwiftType: Hashable, CustomStringConvertible {
  case named(String)
  case array(SwiftType)
  /// An object whose values are of one type.
  case dictionary(SwiftType)
  /// A value that may be null.
  case optional(SwiftType)

  /// The type of a value; of an empty list or one of several kinds, that of texts.
  init(of value: LocatedValue) {
    self =
      switch value.kind {
      case .bool: .named("Bool")
      case .number(let number): .named(number.integer == nil ? "Double" : "Int")
      case .array(let values): .array(Self.common(values))
      case .object(let members): .dictionary(Self.common(members.map(\.value)))
      case .null: .optional(.named("String"))
      case .string: .named("String")
      }
  }

  private static func common(_ values: [LocatedValue]) -> SwiftType {
    let types = Set(values.map(SwiftType.init))
    if types == [.named("Int"), .named("Double")] { return .named("Double") }
    return types.count == 1 ? types.first ?? .named("String") : .named("String")
  }

  /// The type as Swift spells it.
  var description: String {
    switch self {
    case .named(let name): name
    case .array(let element): "[\(element)]"
    case .dictionary(let value): "[String: \(value)]"
    case .optional(let wrapped): "\(wrapped)?"
    }
  }
}

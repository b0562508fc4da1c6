import BackupDiagnostics
import BackupJSON5

extension ActionArguments {
  /// Says that the action of these arguments is not bound, with the Swift to paste.
  func messageOnUnbound(_ name: String, bound: [String]) -> String {
    let near =
      NearestWord.to(name, in: bound).map { "did you mean '\($0)'? If not, bind" } ?? "bind"
    var names: Set<String> = ["action", "actions"]
    let lines = members.map { member in
      let name = Self.variable(member.key, &names)
      return "      let \(name): \(Self.swiftType(of: member.value)) = "
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

  /// The Swift type that the value of an argument fits; of an empty list or one of several kinds,
  /// that of texts.
  private static func swiftType(of value: LocatedValue) -> String {
    switch value.kind {
    case .bool: "Bool"
    case .number(let number): number.integer == nil ? "Double" : "Int"
    case .array(let values): "[\(commonSwiftType(of: values))]"
    case .object(let members): "[String: \(commonSwiftType(of: members.map(\.value)))]"
    case .null: "String?"
    case .string: "String"
    }
  }

  private static func commonSwiftType(of values: [LocatedValue]) -> String {
    let types = Set(values.map(swiftType))
    if types == ["Int", "Double"] { return "Double" }
    return types.count == 1 ? types.first ?? "String" : "String"
  }
}

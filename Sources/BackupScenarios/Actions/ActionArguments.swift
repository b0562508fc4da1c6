package import BackupDiagnostics
import BackupJSON5
import Foundation

/// The arguments of a `perform` step, with their positions in the file.
package struct ActionArguments: Hashable, Sendable {
  let members: [LocatedValue.Member]
  let action: String

  var names: [String] { members.map(\.key) }

  /// Returns the use of each argument by an action that asked for these names.
  func uses(asking requestedNames: Set<String>) -> [ArgumentUse] {
    let missed = requestedNames.subtracting(names)
    return members.map { member in
      ArgumentUse(
        action: action, name: member.key, position: member.keyPosition,
        isRead: requestedNames.contains(member.key), missed: missed)
    }
  }

  func value<Value: Decodable>(
    of name: String, as type: Value.Type
  ) throws(ActionCall.ArgumentError) -> Value {
    guard let member = members.first(where: { $0.key == name }) else {
      let advice =
        NearestWord.to(name, in: names).map { "rename '\($0.shown)' to '\(name)'" }
        ?? "add with: { \(name): … }"
      throw ActionCall.ArgumentError(
        description: "the action '\(action)' needs the argument '\(name)'; \(advice)",
        position: nil)
    }
    return try decode(member.value, as: type, named: "the argument '\(name)'", verb: "is")
  }

  func all<Value: Decodable>(as type: Value.Type) throws(ActionCall.ArgumentError) -> Value {
    let start = members.first?.keyPosition ?? .start
    let value = LocatedValue(kind: .object(members), position: start)
    return try decode(value, as: type, named: "the arguments", verb: "are")
  }

  /// Decodes a value by way of Foundation's JSON.
  private func decode<Value: Decodable>(
    _ value: LocatedValue, as type: Value.Type, named name: String, verb: String
  ) throws(ActionCall.ArgumentError) -> Value {
    do {
      let data = try JSONSerialization.data(withJSONObject: [value.foundationValue])
      let decoded = try JSONDecoder().decode([Value].self, from: data)
      if let first = decoded.first { return first }
    } catch {
      let detail = (error as? DecodingError)?.detail ?? ""
      throw ActionCall.ArgumentError(
        description:
          "\(name) of the action '\(action)' \(verb) not of type \(type): found \(value.shown)\(detail); "
          + "write another value, or let the action ask for another type",
        position: value.position)
    }
    throw ActionCall.ArgumentError(
      description: "\(name) of the action '\(action)' \(verb) empty", position: value.position)
  }

  /// Returns a message that the action of these arguments is not bound, with Swift code to paste.
  func messageOnUnbound(_ name: String, bound: [String]) -> String {
    let near =
      NearestWord.to(name, in: bound).map { "did you mean '\($0)'? If not, bind" } ?? "bind"
    var names: Set<String> = ["action"]
    let lines = members.map { member in
      let name = Self.variable(member.key, &names)
      return "      let \(name): \(Self.swiftType(of: member.value)) = "
        + "try action.argument(\(member.key.debugDescription))"
    }
    return """
      the action '\(EscapedText.escape(name))' is not bound; \(near) it in the app's actions:
          \(name.debugDescription): { action in
      \(lines.map { "\($0)\n" }.joined())      // a call of the app's own code
          },
      """
  }

  /// Returns an unused name for a variable, from the key's letters and digits: `firstName`.
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

  /// The words that Swift accepts as a name only in backticks.
  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Returns the Swift type for the value of an argument. The elements of an empty or mixed list are
  /// strings.
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

extension DecodingError {
  /// The part of the value that could not be decoded, such as `; 'size' is missing`; empty for the
  /// whole value.
  fileprivate var detail: String {
    switch self {
    case .keyNotFound(let key, let context):
      "; '\(Self.path(context.codingPath + [key]))' is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      context.codingPath.count > 1
        ? "; '\(Self.path(context.codingPath))' is not of type \(type)" : ""
    case .dataCorrupted(let context):
      context.codingPath.count > 1
        ? "; '\(Self.path(context.codingPath))' has an invalid value" : ""
    @unknown default: ""
    }
  }

  /// Returns a path in the value, below the array that it was decoded in: `chapters.2.title`.
  private static func path(_ codingPath: [any CodingKey]) -> String {
    codingPath.dropFirst().map { $0.intValue.map(String.init) ?? $0.stringValue }
      .joined(separator: ".")
  }
}

extension LocatedValue {
  /// The value as a message quotes it, or its kind if it has parts.
  fileprivate var shown: String {
    switch kind {
    case .null, .array, .object: kindName
    case .bool(let value): "\(value)"
    case .number(let number): "the number \(number.text.shown)"
    case .string(let text): "the string '\(text.shown)'"
    }
  }

  /// The value for Foundation's JSON. A number that JSON does not have becomes a text.
  var foundationValue: Any {
    switch kind {
    case .null: NSNull()
    case .bool(let value): value
    case .number(let number):
      if let integer = number.integer {
        integer
      } else if number.double.isFinite {
        number.double
      } else {
        number.text
      }
    case .string(let text): text
    case .array(let values): values.map(\.foundationValue)
    case .object(let members):
      Dictionary(members.map { ($0.key, $0.value.foundationValue) }) { first, _ in first }
    }
  }
}

/// The use of an argument of a `perform` step by the action.
package struct ArgumentUse: Hashable, Sendable {
  package let action: String
  package let name: String
  package let position: SourcePosition
  /// True if the action asked for the argument.
  package private(set) var isRead: Bool
  /// The arguments that the action asked for and the step does not have.
  package private(set) var missed: Set<String>

  /// Returns the combined use of the same argument in several runs of the step.
  package func merging(_ other: ArgumentUse) -> ArgumentUse {
    var both = self
    both.isRead = isRead || other.isRead
    both.missed.formUnion(other.missed)
    return both
  }
}

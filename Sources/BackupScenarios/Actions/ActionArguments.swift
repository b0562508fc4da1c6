package import BackupDiagnostics
import BackupJSON5
import Foundation

/// The arguments of a `perform` step, with their positions in the file.
package struct ActionArguments: Hashable, Sendable {
  /// The keys and values of the step's `with`.
  let members: [LocatedValue.Member]
  let actionName: String

  var names: [String] { members.map(\.key) }

  /// Returns the use of each argument by an action that asked for `requestedNames`.
  func uses(requestedNames: Set<String>) -> [ArgumentUse] {
    let missingNames = requestedNames.subtracting(names)
    return members.map { member in
      ArgumentUse(
        actionName: actionName, argumentName: member.key, position: member.keyPosition,
        isRead: requestedNames.contains(member.key), missingNames: missingNames)
    }
  }

  func value<Value: Decodable>(
    of name: String, as type: Value.Type
  ) throws(ActionCall.ArgumentError) -> Value {
    guard let member = members.first(where: { $0.key == name }) else {
      let advice =
        NearestWord.to(name, in: names).map { "rename '\($0.escapedExcerpt)' to '\(name)'" }
        ?? "add with: { \(name): … }"
      throw ActionCall.ArgumentError(
        description: "the action '\(actionName)' needs the argument '\(name)'; \(advice)",
        position: nil)
    }
    return try decode(member.value, as: type, named: "the argument '\(name)'", verb: "is")
  }

  func all<Value: Decodable>(as type: Value.Type) throws(ActionCall.ArgumentError) -> Value {
    let position = members.first?.keyPosition ?? .start
    let value = LocatedValue(kind: .object(members), position: position)
    return try decode(value, as: type, named: "the arguments", verb: "are")
  }

  private func decode<Value: Decodable>(
    _ value: LocatedValue, as type: Value.Type, named name: String, verb: String
  ) throws(ActionCall.ArgumentError) -> Value {
    do {
      // JSONSerialization takes only an array or an object, so the value is put into an array.
      let data = try JSONSerialization.data(withJSONObject: [value.foundationValue])
      let decodedValues = try JSONDecoder().decode([Value].self, from: data)
      if let decodedValue = decodedValues.first { return decodedValue }
    } catch {
      let detail = (error as? DecodingError)?.detail ?? ""
      throw ActionCall.ArgumentError(
        description:
          "\(name) of the action '\(actionName)' \(verb) not of type \(type): found \(value.textInMessage)\(detail); "
          + "write another value, or let the action ask for another type",
        position: value.position)
    }
    throw ActionCall.ArgumentError(
      description: "\(name) of the action '\(actionName)' \(verb) empty", position: value.position)
  }

  /// Returns the message for an action that has no code yet. The message contains Swift code to
  /// paste.
  func unboundActionMessage(_ name: String, boundNames: [String]) -> String {
    let advice =
      NearestWord.to(name, in: boundNames).map { "did you mean '\($0)'? If not, bind" } ?? "bind"
    var usedNames: Set<String> = ["action"]
    let lines = members.map { member in
      let variable = Self.variableName(for: member.key, avoiding: &usedNames)
      return "      let \(variable): \(Self.swiftType(of: member.value)) = "
        + "try action.argument(\(member.key.debugDescription))"
    }
    return """
      the action '\(EscapedText.escape(name))' is not bound; \(advice) it in the app's actions:
          \(name.debugDescription): { action in
      \(lines.map { "\($0)\n" }.joined())      // a call of the app's own code
          },
      """
  }

  /// Returns a variable name for a key, for example `firstName` for `first-name`. If the name is
  /// already used, appends a number. Adds the result to `usedNames`.
  private static func variableName(
    for key: String, avoiding usedNames: inout Set<String>
  ) -> String {
    let words = key.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let camelCase = words.dropFirst().reduce(String(words.first ?? "")) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
    let unnumberedName = camelCase.first?.isLetter == true ? camelCase : "value"
    let numberedNames = sequence(first: 2) { $0 + 1 }.lazy.map { "\(unnumberedName)\($0)" }
    let name =
      usedNames.contains(unnumberedName)
      ? numberedNames.first { !usedNames.contains($0) } ?? unnumberedName : unnumberedName
    usedNames.insert(name)
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// Swift's keywords, which are names only in backticks.
  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Returns the Swift type for an argument's value, for example `[Int]` for `[1, 2]`. For an empty
  /// or mixed list, the type is `[String]`. For a list of integers and other numbers, the type is
  /// `[Double]`.
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
  /// The problem in a part of the value, for example `; 'size' is missing`. Empty if the problem is
  /// the whole value.
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

  /// Returns a path in the value, for example `chapters.2.title`. The first key is dropped, because
  /// it is the index in the array into which `ActionArguments.decode` puts the value.
  private static func path(_ codingPath: [any CodingKey]) -> String {
    codingPath.dropFirst().map { $0.intValue.map(String.init) ?? $0.stringValue }
      .joined(separator: ".")
  }
}

extension LocatedValue {
  /// The value in a message: `the number 3`. For null, a list or an object, only its kind: `a
  /// list`.
  fileprivate var textInMessage: String {
    switch kind {
    case .null, .array, .object: kindName
    case .bool(let value): "\(value)"
    case .number(let number): "the number \(number.text.escapedExcerpt)"
    case .string(let text): "the string '\(text.escapedExcerpt)'"
    }
  }

  /// The value for `JSONSerialization`. Infinity and NaN become strings, because JSON lacks them.
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

/// The use of an argument of a `perform` step by the step's action.
package struct ArgumentUse: Hashable, Sendable {
  package let actionName: String
  package let argumentName: String
  package let position: SourcePosition
  /// True if the action asked for the argument.
  package private(set) var isRead: Bool
  /// The names that the action asked for, but that the step does not have.
  package private(set) var missingNames: Set<String>

  /// Combines the uses of the same argument in two runs of the step.
  package func merging(_ other: ArgumentUse) -> ArgumentUse {
    var mergedUse = self
    mergedUse.isRead = isRead || other.isRead
    mergedUse.missingNames.formUnion(other.missingNames)
    return mergedUse
  }
}

import AppContainer

/// Says that an action is not bound, with the Swift to paste.
enum UnboundAction {
  /// The message for an action with these arguments.
  static func message(_ name: String, _ arguments: ActionArguments, bound: [String]) -> String {
    let near = NearestWord.to(name, in: bound).map { "; did you mean '\($0)'?" } ?? ""
    let lines = arguments.all.map { member in
      "      let \(identifier(member.key)): \(typeName(of: member.value)) = "
        + "try action.argument(\(member.key.debugDescription))"
    }
    return """
      the action '\(EscapedText.escape(name))' is not bound\(near). Bind it in the test:
          actions.bind(\(name.debugDescription)) { action in
      \(lines.map { "\($0)\n" }.joined())      // the app's own code, in action.container.url
          }
      """
  }

  /// A name for a variable.
  private static func identifier(_ key: String) -> String {
    let isWord = key.first?.isLetter == true && key.allSatisfy { $0.isLetter || $0.isNumber }
    return isWord ? key : "value"
  }

  /// The Swift type that a value fits.
  private static func typeName(of value: LocatedValue) -> String {
    switch value.kind {
    case .bool: "Bool"
    case .number(let number): number.integer == nil ? "Double" : "Int"
    case .array(let values): "[\(values.first.map(typeName) ?? "String")]"
    case .object: "[String: String]"
    case .string, .null: "String"
    }
  }
}

import BackupJSON5

extension StepKind {
  static let perform: StepKind = {
    let name = Field(
      "perform",
      .nonemptyString(
        "the name of an action", empty: "the name is empty; expected the name of an action"),
      default: .required, "The name that the test binds the code to.")
    let arguments = Field(
      "with", .arguments, "The arguments that the code gets.")
    return StepKind(
      .perform, name, "The app runs its own code. In the test, you give the code this name.",
      examples: [["perform": "didFinishLaunching"]], beside: [arguments],
      adviceOnUnknownKey: { "if this is an argument of the action, write with: { \($0): … }" }
    ) { step in
      guard let name = step[name] else { return nil }
      let arguments = ActionArguments(members: step[arguments] ?? [], actionName: name)
      return .code(.perform(name, with: arguments))
    }
  }()
}

extension Form where Value == [LocatedValue.Member] {
  /// The form of an object with any keys. No key may occur twice.
  fileprivate static var arguments: Form {
    let expected = "arguments: { name: value }"
    return Form(expected: expected, words: "object", schema: ["type": "object"]) { reader in
      guard ObjectReader(reader, expected: expected) != nil,
        case .object(let members) = reader.value.kind
      else { return nil }
      return members
    }
  }
}

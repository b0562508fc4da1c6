import BackupDiagnostics
import BackupJSON5

/// `perform: "name", with: {…}`: the app's own code, bound by name in the test.
struct PerformStep: StepAction {
  /// The keyword, with the name of an action.
  private static let nameField = Field(
    "perform",
    .filledString(
      "the name of an action", empty: "the name is empty; expected the name of an action"),
    default: .required, "The name the code is bound by.")
  /// `with`: any object, for the action to read.
  private static let argumentsField = Field(
    "with", .arguments, "What is handed to the code: any object.")

  /// `in`: an extension of the app.
  private static let extensionField = Field(
    "in", .extensionIdentifier, default: .inWords("the app"),
    "The extension whose process runs the code, with its own container; the app is not started.")

  static let declaration = StepDeclaration(
    nameField, by: .app, "The app's own code runs, bound by name in the test.",
    examples: [["perform": "didFinishLaunching"]], beside: [argumentsField, extensionField])

  static let runsCode = true

  let name: String
  let arguments: ActionArguments
  /// The extension that performs it; nil for the app.
  let extensionIdentifier: String?

  init?(reading step: ObjectReader) {
    guard let name = step[Self.nameField] else { return nil }
    self.name = name
    self.arguments = ActionArguments(step[Self.argumentsField] ?? [], of: name)
    self.extensionIdentifier = step[Self.extensionField]
  }

  var summary: String {
    let place = extensionIdentifier.map { " in \($0)" } ?? ""
    return "perform \(EscapedText.escape(name))\(place)"
  }
  var actionName: String? { name }
  var startsApp: Bool { extensionIdentifier == nil }

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    try await run.performAction(name, with: arguments, in: extensionIdentifier)
  }
}

extension Form where Value == [LocatedValue.Member] {
  /// An object of any keys, each once.
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

import BackupDevice
import BackupReports
import BackupScenarios
import BackupVerdicts

extension Command {
  static let advise = Command(
    name: "advise",
    operands: "[CLASS…]", possibleOperands: DataClass.allCases.map(\.rawValue),
    summary: "Explains where data of a class belongs, how to mark it, and when to delete it.",
    discussion: """
      The advice depends on the oldest version of iOS that the app supports, because marks differ.
      Without --system it is printed for every version, and without CLASS for every class.
      """,
    options: [oldestSystem, .format(ClassAdvice.formats)]
  ) { arguments in
    try Output.print(try advice(arguments))
    return .success
  }

  private static let oldestSystem = Option(
    "--system", value: "VERSION", "the oldest iOS that the app supports, or 'newest'")

  static func advice(_ arguments: Arguments) throws -> String {
    let classes = try arguments.operands.map { try DataClass.named($0, as: "data class") }
    var advice = ClassAdvice.all(on: classes.isEmpty ? DataClass.allCases : classes)
    if let name = arguments.value(of: oldestSystem) {
      let version = try SystemProfile.named(name, by: oldestSystem).version
      advice = advice.filter { $0.oldestSystems.contains(version) }
    }
    let format = try arguments.format(of: ClassAdvice.formats)
    return try format.text(advice)
  }
}

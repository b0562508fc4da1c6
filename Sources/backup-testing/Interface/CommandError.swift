import BackupScenarios

/// Input or arguments that cannot be used, which ends the tool with the status for that.
struct CommandError: Error, CustomStringConvertible {
  /// Why, in a sentence; empty where the mistakes say it.
  let description: String
  /// The mistakes in scenario files.
  let diagnostics: [Scenario.Diagnostic]

  /// A reason in words.
  init(_ description: String) {
    self.description = description
    self.diagnostics = []
  }

  /// Mistakes in scenario files, each said at its place.
  init(_ diagnostics: [Scenario.Diagnostic]) {
    self.description = ""
    self.diagnostics = diagnostics
  }

  /// Takes what the kit returns; what it throws becomes an error of the command in the same words.
  ///
  /// - Parameters:
  ///   - origin: What is put before the words, such as an option's name and a colon.
  ///   - work: A call of the kit.
  /// - Returns: What the call returns.
  static func rethrowing<Result>(
    _ origin: String = "", _ work: () throws(RunError) -> Result
  ) throws(CommandError) -> Result {
    do throws(RunError) {
      return try work()
    } catch {
      throw CommandError(origin + error.description)
    }
  }
}

/// An option of a command.
struct Option: Sendable {
  /// Its name with the dashes.
  let name: String
  /// What stands for its value in the help; nil for a flag.
  let valueName: String?
  /// What it does, in a line.
  let summary: String

  /// An option that takes a value, or a flag.
  init(_ name: String, _ valueName: String? = nil, _ summary: String) {
    self.name = name
    self.valueName = valueName
    self.summary = summary
  }
}

import BackupDiagnostics

struct Option: Sendable {
  let name: String
  /// The placeholder of the value in the help; nil for a flag.
  let valueName: String?
  let summary: String
  /// The possible values, for shells; empty if the option takes any value.
  let words: [String]

  /// Creates a flag or, with a name for its value, an option that takes a value.
  init(
    _ name: String, value valueName: String? = nil, _ summary: String, words: [String] = []
  ) {
    self.name = name
    self.valueName = valueName
    self.summary = summary
    self.words = words
  }

  /// The options of earlier versions, each with advice on what to do without it.
  static let retired = [
    "--tier": "--tier is no option any more: exploration reports what lasts after the app has "
      + "started again and the work has been repeated; leave it out"
  ]

  /// The option as the user writes it: `--format FORMAT`.
  var usage: String { [name, valueName].compactMap(\.self).joined(separator: " ") }
}

struct Arguments: Sendable {
  private(set) var operands: [String] = []
  /// The values of options, by name; a flag has an empty one.
  private var values: [String: [String]] = [:]

  /// Parses arguments: `--name value`, `--name=value`, flags, and operands. After `--`, all
  /// arguments are operands.
  ///
  /// It passes each mistake to `handleError`, which throws the first one by default.
  init(
    _ arguments: some Sequence<String>, options: [Option],
    handleError: (any Error) throws -> Void = { throw $0 }
  ) rethrows {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      do {
        try add(argument, valueFrom: &rest, options)
      } catch {
        try handleError(error)
      }
    }
  }

  private mutating func add(
    _ argument: String, valueFrom rest: inout ArraySlice<String>, _ options: [Option]
  ) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else {
      throw CommandError(
        Option.retired[name]
          ?? "unknown option '\(name)'; \(NearestWord.advice(for: name, in: options.map(\.name)))")
    }
    guard option.valueName != nil else {
      if parts.count > 1 { throw CommandError("'\(name)' takes no value") }
      values[name, default: []].append("")
      return
    }
    let value = parts.count > 1 ? String(parts[1]) : rest.popFirst()
    guard let value, !value.isEmpty else {
      throw CommandError("'\(name)' needs a value: \(option.usage)")
    }
    values[name, default: []].append(value)
  }

  func has(_ flag: Option) -> Bool { values[flag.name] != nil }

  func value(of option: Option) -> String? { values[option.name]?.last }

  func allValues(of option: Option) -> [String] { values[option.name] ?? [] }
}

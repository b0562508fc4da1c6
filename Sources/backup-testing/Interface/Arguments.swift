import BackupDiagnostics

struct Option: Sendable {
  let name: String
  /// The placeholder of the value in the help, or nil for a flag.
  let valueName: String?
  let summary: String
  /// The possible values, which shells complete. Empty if the option takes any value.
  let possibleValues: [String]

  /// Creates an option that takes a value, or a flag if `valueName` is nil.
  init(
    _ name: String, value valueName: String? = nil, _ summary: String, possibleValues: [String] = []
  ) {
    self.name = name
    self.valueName = valueName
    self.summary = summary
    self.possibleValues = possibleValues
  }

  /// The options of earlier versions, each with advice for a user who still passes it.
  static let retiredOptionAdvice = [
    "--tier": "--tier is no option any more: exploration reports what lasts after the app has "
      + "started again and the work has been repeated; leave it out"
  ]

  /// The option as the user writes it, such as `--format FORMAT`.
  var usage: String { [name, valueName].compactMap(\.self).joined(separator: " ") }
}

/// The parsed arguments of a command: operands, and options with their values.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  /// The values of each option, by the option's name. A flag has an empty value.
  private var values: [String: [String]] = [:]

  /// Parses arguments: `--name value`, `--name=value`, flags, and operands. After `--`, all
  /// arguments are operands. Passes the error of each mistake to `handleError`, which by default
  /// throws the error.
  init(
    _ arguments: some Sequence<String>, options: [Option],
    handleError: (any Error) throws -> Void = { throw $0 }
  ) rethrows {
    var remaining = Array(arguments)[...]
    while let argument = remaining.popFirst() {
      if argument == "--" {
        operands += remaining
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      do {
        try add(argument, valueFrom: &remaining, options)
      } catch {
        try handleError(error)
      }
    }
  }

  private mutating func add(
    _ argument: String, valueFrom remaining: inout ArraySlice<String>, _ options: [Option]
  ) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else {
      throw CommandError(
        Option.retiredOptionAdvice[name]
          ?? "unknown option '\(name)'; \(NearestWord.advice(for: name, in: options.map(\.name)))")
    }
    guard option.valueName != nil else {
      if parts.count > 1 { throw CommandError("'\(name)' takes no value") }
      values[name, default: []].append("")
      return
    }
    let value = parts.count > 1 ? String(parts[1]) : remaining.popFirst()
    guard let value, !value.isEmpty else {
      throw CommandError("'\(name)' needs a value: \(option.usage)")
    }
    values[name, default: []].append(value)
  }

  func has(_ flag: Option) -> Bool { values[flag.name] != nil }

  func value(of option: Option) -> String? { values[option.name]?.last }

  func allValues(of option: Option) -> [String] { values[option.name] ?? [] }
}

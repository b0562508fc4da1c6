import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupReports
import BackupScenarios
import BackupVerdicts

extension Command {
  static let inspect = Command(
    name: "inspect",
    operands: "PATH", operandCounts: 1...1,
    summary: "Shows what a backup of any container would contain, why, and how large it is.",
    discussion: """
      The container is a simulator's, an .xcappdata that Xcode downloaded from a device, or a copy
      of one; it is never changed. --files uses the classes and budgets of a scenario, but runs none
      of its steps. The exit status is 1 if a finding is an error, otherwise 2 if something in the
      container could not be read.
      """,
    options: [
      files, system, marks, container, .format(inspectFormats), .output,
    ],
    run: inspectContainer)

  static let inspectFormats = Inspection.formats + [.html]

  private static let files = Option(
    "--files", value: "SCENARIO", "use the classes, budgets and app of a scenario, by file or id"
  )
  private static let system = Option(
    "--system", value: "VERSION", "the version of iOS that makes the backup; default: newest")
  private static let marks = Option(
    "--marks", value: "FILE", "read marks from a list that was written on the device")
  private static let container = Option(
    "--container", value: "ID", "the group or extension that the container belongs to")

  private static func inspectContainer(_ arguments: Arguments) async throws -> ExitStatus {
    let path = arguments.operands[0]
    let format = try arguments.format(of: inspectFormats)
    let output = try output(arguments, outside: path)
    let context = try context(named: path, arguments)
    let list = try list(arguments)
    let found = try found(at: path, context, arguments)
    guard found.isLikely || arguments.value(of: container) != nil else {
      throw CommandError(
        "\(path): Documents, Library and tmp are all missing, so this is not an app's container; "
          + "name the folder that contains them, or with \(container.name) the group of a group's "
          + "container")
    }
    let inspection = Inspection(of: found, context, marks: list)
    let text = try format.write(inspection)
    try Output.write(text, to: output)
    if inspection.hasErrors { return .failure }
    return inspection.tally.unreadable.isEmpty ? .success : .unusable
  }

  /// The file of `--output`, which must not be in the container.
  private static func output(
    _ arguments: Arguments, outside container: String
  ) throws -> TextFile? {
    guard let path = arguments.value(of: .output) else { return nil }
    let inputs = [files, marks].compactMap { arguments.value(of: $0) }
    let file = try TextFile(reportAt: path, sources: inputs)
    try file.requireOutside(of: container, inputs)
    return file
  }

  private static func context(
    named path: String, _ arguments: Arguments
  ) throws -> Inspection.Context {
    let name = arguments.value(of: system) ?? "newest"
    guard let profile = SystemProfile.named(name) else {
      throw CommandError("\(system.name): \(SystemProfile.objection(to: name))")
    }
    var context = Inspection.Context(named: path.withoutEndingSlash, on: profile)
    if let name = arguments.value(of: files) {
      context.take(try ScenarioFolder.scenario(named: name, in: nil))
    }
    return context
  }

  private static func list(
    _ arguments: Arguments
  ) throws -> (name: String, contents: ContainerList)? {
    guard let path = arguments.value(of: marks) else { return nil }
    return (path, try ContainerList(at: path, followingLinks: true))
  }

  private static func found(
    at path: String, _ context: Inspection.Context, _ arguments: Arguments
  ) throws -> FoundContainer {
    let identifier = arguments.value(of: container)
    if let identifier {
      let problem =
        identifier.hasPrefix("group.")
        ? ContainerPath.Component.problem(withGroup: identifier)
        : ContainerPath.Component.problem(withExtension: identifier, of: context.identifier)
      if let problem { throw CommandError("\(container.name): \(problem)") }
    }
    return try FoundContainer(at: path, of: identifier)
  }
}

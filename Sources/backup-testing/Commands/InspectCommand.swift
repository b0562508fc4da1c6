import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupReports
import BackupVerdicts
import Foundation

extension Command {
  static let inspect = Command(
    name: "inspect",
    operands: "[ID=]PATH…",
    summary: "Shows what a backup of any container would contain, why, and how large it is.",
    discussion: """
      A container is a simulator's, an .xcappdata that Xcode downloaded from a device, or a copy
      of one; it is never changed. Containers of an app, its groups and its extensions make one
      report; ID is needed for a container that does not say whose it is. On a Mac, --simulator
      adds the containers of an app and its groups from the simulator that is booted. --files uses
      the classes and budgets of a scenario, but runs none of its steps. The exit status is 1 if a
      finding is an error, otherwise 2 if something in a container could not be read.
      """,
    options: [simulator, files, system, marks, before, .format(Inspection.formats), .output],
    variables: EnvironmentVariable.originVariables,
    run: inspectContainers)

  static let simulator = Option(
    "--simulator", value: "ID", "the app of this bundle identifier in the simulator that is booted")
  private static let files = Option(
    "--files", value: "SCENARIO", "use the classes, budgets and app of a scenario, by file or id"
  )
  private static let system = Option(
    "--system", value: "VERSION", "the version of iOS that makes the backup; default: newest")
  private static let marks = Option(
    "--marks", value: "FILE",
    "read marks from a list that was written on the device; may be repeated")
  private static let before = Option(
    "--before", value: "OLD",
    "compare with another container, or with JSON of 'inspect'; may be repeated")

  private static func inspectContainers(_ arguments: Arguments) async throws -> ExitStatus {
    let work = LongWork.begin("inspecting")
    defer { work?.end() }
    let format = try arguments.format(of: Inspection.formats)
    let bootedContainers: (arguments: [String], notes: [String]) =
      if let app = arguments.value(of: simulator) {
        try await BootedSimulator.containers(of: app)
      } else {
        ([], [])
      }
    let containerArguments = bootedContainers.arguments + arguments.operands
    guard !containerArguments.isEmpty else {
      throw CommandError(
        "an argument is missing; name a container's folder, or on a Mac an app with "
          + simulator.usage)
    }
    let containers = try containerArguments.map(NamedContainer.init)
    let earlierContainers = try arguments.allValues(of: before).map(NamedContainer.init)
    let inputPaths = [files, marks].flatMap(arguments.allValues(of:))
    let containerPaths = (containers + earlierContainers).map(\.path)
    let output = try ReportOutput.file(arguments, sources: inputPaths)
    for path in containerPaths {
      try output?.requireOutside(of: path, andNoneOf: inputPaths + containerPaths)
    }
    let profile = try SystemProfile.named(arguments.value(of: system) ?? "newest", by: system)
    var context = Inspection.Context(named: containers.names, on: profile)
    if let scenarioName = arguments.value(of: files) {
      context.addScenario(try ScenarioFolder.scenario(named: scenarioName, in: nil))
    }
    context.notes += bootedContainers.notes
    let markLists = try arguments.allValues(of: marks).map { path in
      (name: path, contents: try ContainerList(at: path, followingLinks: true))
    }
    var inspection = try inspection(of: containers, context, markLists)
    if !earlierContainers.isEmpty {
      inspection.changes = InspectionChanges(
        from: try earlierFiles(of: earlierContainers, context), named: earlierContainers.names,
        to: inspection)
    }
    try Output.write(try format.text(inspection), to: output)
    if inspection.hasErrors { return .failure }
    return inspection.tally.unreadableItems.isEmpty ? .success : .unusableInput
  }

  private static func inspection(
    of containers: [NamedContainer], _ context: Inspection.Context,
    _ lists: [(name: String, contents: ContainerList)] = []
  ) throws -> Inspection {
    var context = context
    let owners = containers.compactMap(\.owner)
    let app = app(among: owners, context)
    var foundContainers: [FoundContainer] = []
    for container in containers {
      let foundContainer = try container.foundContainer(
        of: app, isOnlyContainer: containers.count == 1)
      if foundContainers.contains(where: { $0.name == foundContainer.name }) {
        let owner = container.owner?.identifier ?? ""
        throw CommandError(
          "\(container.path): this is a second container of '\(owner)'; remove one")
      }
      let components = foundContainer.url.pathComponents
      let overlappingIndex = foundContainers.map(\.url.pathComponents).firstIndex {
        components.starts(with: $0) || $0.starts(with: components)
      }
      if let overlappingIndex {
        throw CommandError(
          "\(container.path): this is the folder \(containers[overlappingIndex].path), or in it, or contains it; "
            + "name each container once")
      }
      foundContainers.append(foundContainer)
    }
    if let app { context.setIdentifier(app: app) }
    if owners.isEmpty {
      context.notes.append(
        "the container does not say whose it is, and is judged as an app's; name a group's as "
          + "group.com.example.app=PATH")
    }
    return Inspection(of: foundContainers, context, marks: lists)
  }

  /// Returns the app's identifier: the one that iOS recorded, or the scenario's, or else the
  /// shortest that the arguments name. An extension's identifier is longer than the app's, because
  /// it begins with the app's.
  private static func app(
    among owners: [(identifier: String, isOwn: Bool?)], _ context: Inspection.Context
  ) -> String? {
    let unrecordedOwners = owners.filter { $0.isOwn == nil && !$0.identifier.hasPrefix("group.") }
    return owners.first { $0.isOwn == true }?.identifier ?? context.appIdentifier
      ?? unrecordedOwners.map(\.identifier).min { $0.count < $1.count }
  }

  /// Returns the files of containers to compare with. If the only path is that of a file, reads the
  /// JSON of an earlier inspection instead.
  private static func earlierFiles(
    of earlierContainers: [NamedContainer], _ context: Inspection.Context
  ) throws -> InspectedFiles {
    let path = earlierContainers[0].path
    guard earlierContainers.count == 1, FileKind(at: path, followingLinks: true) == .file else {
      return try inspection(of: earlierContainers, context).inspectedFiles
    }
    let bytes = try RegularFile.bytesOfReport("inspection", at: path)
    if let files = InspectedFiles(json: bytes) { return files }
    throw CommandError(
      "\(path): this is not an inspection; expected a container's folder, or a file that "
        + "'inspect --format json' wrote")
  }
}

/// A container that an argument names, and its owner if that is known.
private struct NamedContainer {
  let path: String
  let owner: (identifier: String, isOwn: Bool?)?

  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts[0].contains("/") else {
      (path, owner) = (argument, try FoundContainer.owner(of: argument))
      return
    }
    path = parts[1]
    let recordedOwner = try FoundContainer.owner(of: path)
    owner = recordedOwner ?? (parts[0], nil)
    if let recordedOwner, recordedOwner.identifier != parts[0] {
      throw CommandError(
        "\(argument): according to iOS, this container is of '\(recordedOwner.identifier)'; remove "
          + "'\(parts[0])='")
    }
    guard !ContainerPath.Component.isIdentifier(parts[0]) else { return }
    throw CommandError(
      "\(argument): '\(parts[0])' is not the identifier of an app, a group or an extension; expected "
        + "com.example.app=PATH, or ./ before a path")
  }

  func foundContainer(of app: String?, isOnlyContainer: Bool) throws -> FoundContainer {
    guard let owner, owner.identifier != app else {
      let container = try FoundContainer(at: path)
      if owner != nil || isOnlyContainer && container.isLikelyContainer { return container }
      throw CommandError(
        "\(path): "
          + (isOnlyContainer
            ? "Documents, Library and tmp are all missing, so this is not an app's container; name "
              + "the folder that contains them, or a group's container as group.com.example.app=PATH"
            : "it is not known whose container this is; write com.example.app=PATH, "
              + "group.com.example.app=PATH or com.example.app.widget=PATH"))
    }
    let ownerIdentifier = owner.identifier
    if !ownerIdentifier.hasPrefix("group."),
      owner.isOwn == true
        || ContainerPath.Component.problem(withExtension: ownerIdentifier, of: app) != nil
    {
      throw CommandError(
        "\(path): '\(ownerIdentifier)' is not an extension of '\(app ?? "")'; inspect each app alone"
      )
    }
    return try FoundContainer(at: path, of: ownerIdentifier)
  }
}

extension [NamedContainer] {
  fileprivate var names: String { map(\.path.withoutEndingSlash).joinedInWords }
}

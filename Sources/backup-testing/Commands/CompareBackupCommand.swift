import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupFolders
import BackupReports
import BackupVerdicts
import Foundation

extension Command {
  static let compareBackup = Command(
    name: "compare-backup",
    operands: "[FOLDER]", operandCounts: 0...1,
    summary: "Compares a real backup folder with what the kit predicts for a container.",
    discussion: """
      FOLDER is a backup that the Finder or iTunes made; it is never changed. Without FOLDER, the
      newest backup on this Mac is used. If it is encrypted, give its password by --password-file, or
      type it in a terminal. Without --container, the command uses the list that the app has left in
      the backup. Without a list, it judges items only by place and name, and does not notice
      missing items. With --probe, the backup answers the questions
      of the app that 'probe-app' writes. The exit status is 1 if there is a difference, or an
      invalid row in the manifest.
      """,
    options: [
      app, container, group, appExtension, passwordFile, system, probe, record, .format(formats),
      .output,
    ],
    variables: EnvironmentVariable.originVariables,
    run: compare)

  private static let app = Option(
    "--app", value: "ID",
    "the app's bundle identifier; default: as the container or backup shows it")
  private static let container = Option(
    "--container", value: "PATH",
    "the app's container, an .xcappdata that contains it, or its container.list")
  private static let group = Option(
    "--group", value: "ID[=PATH]",
    "a group of the app, with its container or list; may be repeated")
  private static let appExtension = Option(
    "--extension", value: "ID[=PATH]",
    "an extension of the app, with its container or list; may be repeated")
  private static let passwordFile = Option(
    "--password-file", value: "FILE", "a file whose first line is the backup's password")
  private static let system = Option(
    "--system", value: "VERSION",
    "the backup's version of iOS, or 'newest'; default: the version in FOLDER")
  private static let probe = Option(
    "--probe", "print what the backup answers to each question of the probe app")
  private static let record = Option(
    "--record", value: "FILE", "with --probe, write the answers to FILE, without private data")

  private static let formats = [
    OutputFormat<BackupComparison>("text") { $0.text }, .json { $0.json },
    OutputFormat("html") { $0.page },
  ]
  private static let probeFormats = [
    OutputFormat<ProbeAnswers>("text") { $0.text }, .json { $0.json },
  ]

  private static func compare(_ arguments: Arguments) async throws -> ExitStatus {
    guard arguments.has(probe) || !arguments.has(record) else {
      throw CommandError("'\(record.name)' records the answers to a probe; add '\(probe.name)'")
    }
    let problem = arguments.value(of: app).flatMap(ContainerPath.Component.problem(withApp:))
    if let problem { throw CommandError(problem) }
    if arguments.has(probe) { return try answerProbe(arguments) }
    let otherContainers = try otherContainers(arguments)
    let format = try arguments.format(of: formats)
    let backup = try OpenedBackup(arguments)
    let containerPaths = otherContainers.compactMap(\.path) + arguments.allValues(of: container)
    let output = try backup.outputFile(arguments.value(of: .output), outside: containerPaths)
    let work = LongWork.begin("comparing")
    defer { work?.end() }
    let comparison = try comparison(of: backup, with: otherContainers, arguments)
    try Output.write(try format.text(comparison), to: output)
    return comparison.isClean ? .success : .failure
  }

  private static func answerProbe(_ arguments: Arguments) throws -> ExitStatus {
    for option in [container, group, appExtension] where !arguments.allValues(of: option).isEmpty {
      throw CommandError("'\(option.name)' has no use with '\(probe.name)'; remove it")
    }
    let format = try arguments.format(of: probeFormats)
    let recordPath = arguments.value(of: record)
    if let recordPath, FileKind(at: recordPath, followingLinks: false) != nil {
      throw CommandError("\(recordPath): the file already exists; name a new file for the record")
    }
    let backup = try OpenedBackup(arguments)
    let recordFile = try backup.outputFile(recordPath)
    let output = try backup.outputFile(arguments.value(of: .output))
    let answers = try answers(in: backup, arguments)
    // The output may be the same file as the record under another name. The record must not replace
    // the output, so the record is written last, and only as a new file.
    try Output.write(try format.text(answers), to: output)
    try recordFile?.writeNew(OutputFormat<ProbeAnswers>.json { $0.recordJSON }.text(answers))
    return answers.areAsPredicted ? .success : .failure
  }

  /// The unlocked backup that the arguments name, or the newest backup if they name none.
  private struct OpenedBackup {
    let folder: BackupFolder
    let profile: SystemProfile
    private(set) var remarks: [String] = []
    /// The paths of the inputs that the arguments name.
    private let inputPaths: [String]

    init(_ arguments: Arguments) throws {
      inputPaths = arguments.operands + arguments.allValues(of: passwordFile)
      var folder: BackupFolder
      if let path = arguments.operands.first {
        folder = try BackupFolder(at: path)
      } else {
        (folder, remarks) = try BackupFolder.newest(inHome: NSHomeDirectory())
      }
      profile = try Command.profile(arguments, for: folder)
      remarks += folder.remarks(usingRulesOf: profile)
      if folder.isLocked { try folder.unlock(password: password(arguments, of: folder)) }
      self.folder = folder
    }

    /// Returns the file to write to. Throws an error if the file is, or is in, an input, the backup
    /// or one of `otherPaths`.
    func outputFile(_ path: String?, outside otherPaths: [String] = []) throws -> TextFile? {
      guard let path else { return nil }
      let file = try TextFile(reportAt: path)
      for path in inputPaths + [folder.path] + otherPaths {
        try file.requireOutside(of: path, andNoneOf: [])
      }
      return file
    }
  }

  /// Compares the backup with the containers that the arguments name, or with the list in the
  /// backup.
  private static func comparison(
    of backup: OpenedBackup, with otherContainers: [ComparedContainer], _ arguments: Arguments
  ) throws -> BackupComparison {
    let folder = backup.folder
    let app = try app(arguments, in: folder)
    let domain = BackupDomain(nil, of: app)
    let appContainer = try ComparedContainer(domain, at: arguments.value(of: container))
    var containers = [appContainer] + otherContainers
    let contents = try folder.contents(of: containers.map(\.domain), app: app)
    try requireItems(of: containers, in: contents, folder)
    let listPath = ContainerList.firstListPath
    if !appContainer.isExamined,
      let listBytes = try folder.bytes(ofList: listPath, in: domain, contents)
    {
      let listName = folder.name(ofList: listPath, in: domain)
      try containers[0].setTree(
        from: try ContainerList(listBytes, named: listName), named: listName)
    }
    let tree = containers.reduce(into: FileTree()) { tree, container in
      tree.insert(container.tree, ofContainer: container.domain.container)
    }
    let requestedDomains = containers.map(\.domain)
    let unrequestedDomains = contents.domains.subtracting(requestedDomains).sorted {
      $0.name < $1.name
    }
    var comparison = BackupComparison(
      contents, with: tree, domains: requestedDomains + unrequestedDomains,
      examined: Set(containers.filter(\.isExamined).map(\.domain)), on: backup.profile)
    if let (item, reason) = comparison.firstUnreadableItem {
      let container = containers.first { $0.domain.container == item.containerName }
      throw BackupFolderError(
        container?.path ?? folder.path, "'\(item)' cannot be read: \(reason)")
    }
    guard !comparison.hasNoItems else {
      throw BackupFolderError(
        folder.path,
        "the backup contains no item of '\(app)'; let it save files, and take the backup again")
    }
    comparison.title = "\(app) on \(folder.title)"
    comparison.remarks = containers.compactMap { container in
      container.listedSystem.map {
        "The container of \(container.domain.identifier) was read from the list that the app wrote "
          + "on iOS \($0)."
      }
    }
    comparison.remarks += backup.remarks
    return comparison
  }

  /// Returns the password from the file that the arguments name, or from the terminal.
  private static func password(_ arguments: Arguments, of folder: BackupFolder) throws -> String {
    if let file = arguments.value(of: passwordFile) {
      do throws(RegularFile.AccessError) {
        let bytes = try RegularFile.bytes(at: file, upTo: 10_000, followingLinks: true)
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
      } catch {
        throw BackupFolderError(error)
      }
    }
    guard isatty(STDIN_FILENO) == 1, let typedPassword = getpass("Password of the backup: ") else {
      throw BackupFolderError(
        folder.path,
        "the backup is encrypted; name a file whose first line is the password with "
          + "'\(passwordFile.name)'")
    }
    return String(cString: typedPassword)
  }

  /// Throws an error if the backup contains nothing of the app, or nothing of a container without
  /// a path.
  private static func requireItems(
    of containers: [ComparedContainer], in contents: BackupContents, _ folder: BackupFolder
  ) throws(BackupFolderError) {
    for container in containers where !contents.domains.contains(container.domain) {
      let identifier = container.domain.identifier
      guard let containerName = container.domain.container else {
        throw BackupFolderError(
          folder.path,
          "the backup contains nothing of '\(identifier)'; "
            + "\(appAdvice(in: folder, near: identifier))")
      }
      guard container.path == nil else { continue }
      let identifiersOfKind = contents.domains.filter {
        $0.container?.isGroup == containerName.isGroup
      }
      .map(\.identifier)
      let otherIdentifiers =
        (identifiersOfKind + (containerName.isGroup ? contents.otherGroups : [])).sorted()
      let advice =
        otherIdentifiers.isEmpty
        ? "" : ": \(NearestWord.advice(for: identifier, in: otherIdentifiers))"
      throw BackupFolderError(
        folder.path,
        "the backup contains nothing of '\(identifier)'; add its container as "
          + "'\(identifier)=PATH', or correct the identifier\(advice)")
    }
  }

  /// Returns advice that names the apps in a backup, Apple's last, and suggests one with a similar
  /// identifier.
  private static func appAdvice(in folder: BackupFolder, near app: String) -> String {
    let apps = folder.apps.filter { $0 != app }.map(\.escapedExcerpt)
    let appleApps = apps.filter { $0.hasPrefix("com.apple.") }
    let orderedApps = apps.filter { !appleApps.contains($0) } + appleApps
    return orderedApps.isEmpty
      ? "name an app that it contains" : NearestWord.advice(for: app, in: orderedApps)
  }

  /// Returns the app that the arguments name, or else the app that the container or the backup
  /// belongs to.
  private static func app(_ arguments: Arguments, in folder: BackupFolder) throws -> String {
    if let app = arguments.value(of: app) { return app }
    if let path = arguments.value(of: container), let owner = try FoundContainer.owner(of: path),
      owner.isOwn != false, ContainerPath.Component.problem(withApp: owner.identifier) == nil
    {
      return owner.identifier
    }
    let validApps = folder.apps.filter { ContainerPath.Component.problem(withApp: $0) == nil }
    if validApps.count == 1 { return validApps[0] }
    throw CommandError("'\(app.name)' is missing: \(app.usage); \(appAdvice(in: folder, near: ""))")
  }

  private static func otherContainers(_ arguments: Arguments) throws -> [ComparedContainer] {
    var containers: [ComparedContainer] = []
    for (option, isGroup) in [(group, true), (appExtension, false)] {
      for optionValue in arguments.allValues(of: option) {
        let parts = optionValue.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let identifier = String(parts[0])
        // The manifest shows which containers are groups. So the identifier of a group need not
        // begin with `group.` here.
        let isValidGroup = isGroup && ContainerPath.Component.isIdentifier(identifier)
        let problem =
          isGroup
          ? ContainerPath.Component.problem(withGroup: identifier)
          : ContainerPath.Component.problem(withExtension: identifier)
        if let problem, !isValidGroup { throw CommandError("\(option.name): \(problem)") }
        let domain =
          isGroup
          ? BackupDomain(group: identifier)
          : BackupDomain(ContainerPath.Component(containerOf: identifier), of: "")
        guard parts.last != "" else {
          throw CommandError("\(option.name): the path after '\(identifier)=' is missing")
        }
        guard !containers.contains(where: { $0.domain.container == domain.container }) else {
          throw CommandError("\(option.name): '\(identifier)' appears twice; keep one")
        }
        let path = parts.dropFirst().first.map(String.init)
        containers.append(try ComparedContainer(domain, at: path))
      }
    }
    return containers
  }

  private static func profile(
    _ arguments: Arguments, for folder: BackupFolder
  ) throws -> SystemProfile {
    if let name = arguments.value(of: system) { return try SystemProfile.named(name, by: system) }
    if let profile = folder.profile { return profile }
    throw BackupFolderError(
      folder.path, "it does not contain its version of iOS; name the version with '\(system.name)'")
  }

  private static func answers(
    in backup: OpenedBackup, _ arguments: Arguments
  ) throws -> ProbeAnswers {
    let (folder, requestedApp) = (backup.folder, arguments.value(of: app))
    let results = try (requestedApp.map { [$0] } ?? folder.appsWithContainerList()).map { app in
      Result { try ProbeAnswers(of: app, in: folder, on: backup.profile, kit: Kit.version) }
    }
    // The errors are thrown or printed below.
    let allAnswers = results.compactMap { try? $0.get() }
    guard var answers = allAnswers.first else {
      for result in results { _ = try result.get() }
      throw BackupFolderError(
        folder.path,
        "the backup contains no list of the probe app\(requestedApp.map { " '\($0)'" } ?? ""); make the app "
          + "with 'backup-testing probe-app', run it on the device, and take the backup again")
    }
    for case .failure(let error) in results { Output.error(error) }
    guard allAnswers.count == 1 else {
      throw CommandError(
        "the backup contains \(allAnswers.count) probe apps; name one with '\(app.name)': "
          + allAnswers.map(\.app).joined(separator: ", "))
    }
    answers.remarks += backup.remarks
    return answers
  }
}

/// A container to compare with the backup: its domain, and its items if they are known.
struct ComparedContainer {
  let domain: BackupDomain
  /// The path of the container or its list that the user gave, or nil if the user gave none.
  let path: String?
  private(set) var tree = FileTree()
  /// The version of iOS under which the app wrote the list. Nil if no list was read.
  private(set) var listedSystem: String?

  /// True if the items of the container are known.
  var isExamined: Bool { path != nil || listedSystem != nil }

  /// Reads a list or a container. If the container contains a list, uses the items of the list.
  /// Without a path, the tree stays empty.
  init(_ domain: BackupDomain, at path: String?) throws {
    self.domain = domain
    self.path = path
    guard let path else { return }
    if FileKind(at: path, followingLinks: true) == .file {
      try setTree(from: try ContainerList(at: path, followingLinks: true), named: path)
      return
    }
    let foundContainer = try FoundContainer(
      at: path, of: domain.container.map { _ in domain.identifier })
    tree = foundContainer.tree
    guard let item = tree[ContainerList.firstListPath] else { return }
    // Do not follow links, because the container may be from an untrusted source.
    let file = foundContainer.url.appendingPathComponent(ContainerList.firstListPath.string).path
    guard item.size != nil else {
      throw CommandError("\(file): this is not a file; remove it, or name the container's list")
    }
    try setTree(from: try ContainerList(at: file, followingLinks: false), named: file)
  }

  /// Replaces the tree by the items of a list.
  mutating func setTree(from list: ContainerList, named file: String) throws {
    let identifier = domain.identifier
    let items = try list.tree(named: file)
    guard list.bundleIdentifier == identifier else {
      throw CommandError(
        "\(file): this is the list of '\(list.bundleIdentifier.escapedExcerpt)', not of '\(identifier)'; "
          + "name the list of that container")
    }
    tree = items
    listedSystem = list.system.escapedExcerpt
  }
}

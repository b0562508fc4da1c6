import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Reports an app that uses an item without a check, if the item is missing or is left in tmp from
/// an earlier launch.
///
/// A use of a missing item is an error. A purge may have taken a file, an update may not have kept
/// it, or the restored backup may not have contained it. A keychain item may be missing because few
/// backups move it to another device.
///
/// The system may empty tmp between launches, so a use of an item that is left in tmp is a warning.
///
/// If the user's own file is missing because it was marked or misplaced, only the rule on that
/// mistake reports it.
struct ExistsBeforeUseRule: Rule {
  let name = "exists-before-use"
  let sources: [SystemProfile.Source] = [
    .appleFileSystem, .appleOptimizing, .appleAppGuide, .ios5BackupPost,
  ]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.look) }
  /// Empty, because the index of an app's sources has no calls that only read.
  var suspectedCalls: [ChangeCall.Kind] { [] }
  var consequence: String? { "the app fails without '{path}'" }
  var requirements: BrokenRequirements { .onEvent([.takesItem]) }

  /// The phrase in messages that ``RuleList`` replaces with the cause at the end of the run.
  static let missingPhrase = "it is missing"

  /// Distinguishes violations on items left in tmp from violations on missing items.
  private static let leftoverDiscriminator = 1

  func memory(at start: RunStart) -> Set<String> { [] }

  func observe(
    _ event: ObservedEvent, _ missingKeychainItems: inout Set<String>, _ report: inout RuleReport
  ) {
    switch event.event {
    case .readMissing(let path, let error) where event.facts.isLossExplained[path] != true:
      report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "the app reads '\(path)' without checking, but \(Self.missingPhrase)" + Self.quoting(error),
        advice: .text(Self.advice(onMissing: event.promisedClass(of: path))),
        unless: [UserDataLostRule().name] + RuleList.names(about: .purgeablePlace))
    case .writeToMissing(let path, let error) where event.facts.isLossExplained[path] != true:
      report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "the app opens or writes to '\(path)', but \(Self.missingPhrase)" + Self.quoting(error),
        advice: .text(
          path.adviceOnPlace
            ?? "before each save, create the directory with 'withIntermediateDirectories: true', "
            + "which succeeds if it exists; before a read, check that the file exists"))
    case .keychainItem(let name, isMissing: true)
    where missingKeychainItems.insert(name).inserted:
      report.add(
        self, at: event.step, on: nil,
        "the app reads the keychain item '\(name.escapedExcerpt)' without checking, but \(Self.missingPhrase)",
        advice:
          "check that the item exists; if it does not, ask the user again, for example to sign in",
        sources: [.appleKeychain, .applePlatformSecurity])
    case .use(let use, of: let path, isMissing: true)
    where event.facts.isLossExplained[path] != true:
      report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "the app \(use.verb) '\(path)' without checking, but \(Self.missingPhrase)",
        advice: .text(Self.advice(onMissing: event.promisedClass(of: path), for: use)),
        unless: [UserDataLostRule().name] + RuleList.names(about: .purgeablePlace))
    case .read(let path): self.report(event, reading: path, "reads", &report)
    case .use(let use, of: let path, isMissing: false):
      self.report(event, reading: path, use.verb, &report)
    default: return
    }
  }

  /// Reports a use of an item that is left in tmp from an earlier launch.
  private func report(
    _ event: ObservedEvent, reading path: ContainerPath, _ verb: String, _ report: inout RuleReport
  ) {
    guard event.isOldTemporaryItem(path) else { return }
    let dataClass = event.promisedClass(of: path)
    report.add(
      self, severity: .warning, at: event.step, on: path,
      distinguishedBy: Self.leftoverDiscriminator,
      groupedBy: .item,
      "the app \(verb) '\(path)' without checking, but it is left in tmp from an earlier launch, "
        + "and the system may empty tmp whenever the app is not running",
      advice: .text(Self.advice(onLeftoverOf: dataClass, on: event.profile)),
      unless: dataClass == .critical ? RuleList.names(about: .purgeablePlace) : [])
  }

  private static func advice(
    onMissing dataClass: DataClass?, for use: Transcript.Event.Use
  ) -> String {
    switch use {
    case .append, .copy, .move: advice(onMissing: dataClass)
    case .exclude, .include: "check that the item exists, and mark it each time it is created again"
    case .remove: "check that the item exists, or ignore the error: there is nothing to remove"
    }
  }

  private static func advice(onMissing dataClass: DataClass?) -> String {
    switch dataClass {
    case .critical:
      "check that the file exists; if it does not, inform the user and start with an empty one, "
        + "since it cannot be created again"
    case .secret:
      "check that it exists; if it does not, ask the user again, since it may also be missing "
        + "from the keychain"
    case .cached, .temporary:
      "check that the file exists, and create it again if it does not"
    case .support, .offline, nil:
      "check that the file exists, and download or create it again if it does not"
    }
  }

  private static func advice(
    onLeftoverOf dataClass: DataClass?, on profile: SystemProfile
  ) -> String {
    let place = ContainerPath.StandardLocation.temporary.path
    return switch dataClass {
    case .critical:
      "\(DataClass.critical.placeAdvice(for: place, on: profile)): it cannot be created again"
    case .secret, .cached, .temporary: advice(onMissing: dataClass)
    case .support, .offline, nil:
      "check that the file exists, and create it again if it does not; or "
        + (dataClass ?? .support).placeAdvice(for: place, on: profile)
    }
  }
}

extension ObservedEvent {
  /// Returns true for an item in tmp that is older than the last launch. A directory with items
  /// counts only if it contains a file that is older than the last launch and is no remnant.
  fileprivate func isOldTemporaryItem(_ path: ContainerPath) -> Bool {
    let items = facts.oldTemporaryItems
    guard let children = tree[path]?.children, !children.isEmpty else {
      return items.contains(path)
    }
    return items.contains { item in
      path.isAncestor(of: item) && tree[item]?.isDirectory == false
        && !facts.remnants.contains(item)
    }
  }
}

extension Transcript.Event.Use {
  /// The verb that precedes the item's name in a message.
  fileprivate var verb: String {
    switch self {
    case .append: "appends to"
    case .copy: "copies"
    case .exclude: "marks"
    case .include: "clears the mark of"
    case .move: "moves"
    case .remove: "removes"
    }
  }
}

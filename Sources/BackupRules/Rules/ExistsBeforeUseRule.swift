import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A use of an item that is missing, or that luck has left in tmp, by an app that did not check.
///
/// A file that was there yesterday may be gone: purged, not carried over by an update, or kept out
/// of the backup that was restored. An app that takes it for granted fails just then. What lies in
/// tmp may be gone whenever the app has ended, so a read that finds it all the same is a warning.
///
/// Where what the user made is missing because it was marked or in the wrong place, an earlier rule
/// has said so, and this one does not. A keychain item may be missing too: few backups bring one to
/// another device.
struct ExistsBeforeUseRule: Rule {
  let name = "exists-before-use"
  let severity = Scenario.Severity.error
  let summary =
    "a use of an item that is missing, or in tmp since before the app last ended, by an app that "
    + "did not check"
  let subjects: [SystemProfile.Subject] = [.purge, .update, .restore]
  let sources: [SystemProfile.Source] = [
    .appleFileSystem, .appleOptimizing, .appleAppGuide, .ios5BackupPost,
  ]

  /// What a message says of the item; why is put behind it once the run is over.
  static let isMissing = "it is not there"

  /// Tells a read that went well by luck from one that did not.
  private static let luck = 1

  /// The keychain items that were read in vain.
  func memory(at start: RunStart) -> Set<String> { [] }

  func observe(
    _ event: ObservedEvent, _ missingKeychainItems: inout Set<String>, _ report: inout RuleReport
  ) {
    switch event.event {
    case .readMissing(let path, let wrapper) where event.facts.losses[path] != true:
      report.add(
        self, at: event.step, on: path, identity: .item,
        "'\(path)' is read, but \(Self.isMissing)" + Self.quoting(wrapper),
        advice: .text(Self.advice(onMissing: event.promisedClass(of: path))),
        unless: [UserDataLostRule().name, UserDataPurgeableRule().name])
    case .writeToMissing(let path, let wrapper) where event.facts.losses[path] != true:
      report.add(
        self, at: event.step, on: path, identity: .item,
        "'\(path)' is opened or written to, but \(Self.isMissing)" + Self.quoting(wrapper),
        advice: .text(
          "create the directory, with intermediates, before each save: where it is there, "
            + "that is no error; before a read, check that the file is there"))
    case .keychainItem(let name, isMissing: true)
    where missingKeychainItems.insert(name).inserted:
      report.add(
        self, at: event.step, on: nil,
        "the keychain item '\(name.shown)' is read, but \(Self.isMissing)",
        advice:
          "check that the item is there, and if it is not, ask the user again, as by signing in",
        sources: [.appleKeychain, .applePlatformSecurity])
    case .read(let path) where event.facts.temporaryRemains.contains(path):
      let dataClass = event.promisedClass(of: path)
      report.add(
        self, severity: .warning, at: event.step, on: path, by: Self.luck, identity: .item,
        "'\(path)' is read unchecked, but it is in tmp since before the app last ended; the "
          + "system may empty tmp whenever the app does not run",
        advice: .text(Self.advice(onRemains: dataClass, on: event.profile)),
        unless: dataClass == .critical ? [UserDataPurgeableRule().name] : [])
    default: return
    }
  }

  /// What to do about a read of a missing file of a class; nil for one of none.
  private static func advice(onMissing dataClass: DataClass?) -> String {
    switch dataClass {
    case .critical:
      "check that the file is there, and where it is not, tell the user and begin with an empty one: "
        + "it cannot be made again"
    case .secret:
      "check that it is there, and where it is not, ask the user again: the keychain may lack it too"
    case .cached, .temporary:
      "check that the file is there, and make it again where it is not"
    case .support, .offline, nil:
      "check that the file is there, and fetch or make it again where it is not"
    }
  }

  /// What to do about a read of what is in tmp by luck, of a class; nil for one of none.
  private static func advice(
    onRemains dataClass: DataClass?, on profile: SystemProfile
  ) -> String {
    let place = ContainerPath.StandardLocation.temporary.path
    return switch dataClass {
    case .critical:
      "\(DataClass.critical.placeAdvice(for: place, on: profile)): it cannot be made again"
    case .secret, .cached, .temporary: advice(onMissing: dataClass)
    case .support, .offline, nil:
      "check that the file is there, and make it again where it is not; or "
        + (dataClass ?? .support).placeAdvice(for: place, on: profile)
    }
  }
}

#if os(macOS) || os(Linux)
import BackupTesting
import Testing

/// A list of app steps and events of iOS, and the findings that they cause.
///
/// `SameFindingsTests` performs each story in four ways.
struct ComparedStory: Sendable, CustomTestStringConvertible {
  /// An app step or an event of iOS.
  enum Turn: Sendable {
    case makeDirectory(String)
    case save(String, size: Int)
    case exclude(String)
    /// Creates a symbolic link with an absolute path.
    case link(String, to: String)
    case read(String)
    case relaunch
    case backUp(String)
    case place(String, size: Int)
    case purge
    case updateApp(String)
    case updateSystem(String)
    case offloadAndReinstall
    case restore(String)
  }

  let testDescription: String
  let turns: [Turn]
  /// The keys of the scenario file other than `title` and `steps`.
  let head: String
  /// The expected findings, each as `rule severity path`.
  let findings: Set<String>

  private init(
    _ name: String, _ turns: [Turn], _ head: String, finds findings: Set<String> = []
  ) {
    self.testDescription = name
    self.turns = turns
    self.head = head
    self.findings = findings
  }

  // MARK: Stories

  private static let support = "Library/Application Support"
  private static let offline = "files: { 'Documents/**': 'offline', 'Library/**': 'offline' }"
  private static let critical = "files: { '**': 'critical' }"
  private static let secret = "files: { '**': 'secret' }"
  private static let backups: [Turn] = [.relaunch, .backUp("b1"), .relaunch, .backUp("b2")]
  private static let movie: [Turn] = [.makeDirectory(support), .save("\(support)/m", size: 70)]
  private static let diary: [Turn] = [
    .save("Documents/diary", size: 9), .exclude("Documents/diary"),
  ]
  private static let password: [Turn] = [.save("Documents/password", size: 9)]

  private static let movieBackedUp: Set = ["recreatable-data-backed-up error \(support)/m"]
  private static let diaryLeftOut: Set = ["user-data-excluded error Documents/diary"]
  private static let passwordBackedUp: Set = ["secret-backed-up error Documents/password"]
  private static let fileBackedUp: Set = ["recreatable-data-backed-up error Documents/m"]

  static let all = [
    // Stories with an update or a new installation.
    ComparedStory(
      "a marked diary, the app updated", diary + [.updateApp("2.0")] + backups, critical,
      finds: diaryLeftOut),
    ComparedStory(
      "a marked diary, the system updated", diary + [.updateSystem("26")] + backups,
      "\(critical), system: '18'", finds: diaryLeftOut),
    ComparedStory(
      "a marked diary, reinstalled", diary + [.offloadAndReinstall] + backups, critical,
      finds: diaryLeftOut),
    ComparedStory(
      "a secret, the app updated", password + [.updateApp("2.0")] + backups, secret,
      finds: passwordBackedUp),
    ComparedStory(
      "a budget, the app updated",
      [.save("Documents/a", size: 2000), .updateApp("2.0"), .relaunch, .backUp("b")],
      "\(critical), budget: '1 KB'", finds: ["backup-budget error -"]),
    ComparedStory(
      "Caches, the system updated from 8 to 9",
      [
        .save("Library/Caches/m", size: 9), .exclude("Library/Caches/m"), .updateSystem("9"),
      ] + backups, "\(offline), system: '8'",
      finds: ["user-data-purgeable error Library/Caches/m"]),
    ComparedStory(
      "a link, the app updated",
      [
        .save("Documents/a", size: 1), .link("Documents/l", to: "Documents/a"), .updateApp("2.0"),
        .relaunch, .backUp("b"),
      ], critical, finds: ["stale-container-path warning Documents/l"]),
    ComparedStory(
      "unmarked data, backed up right after an update",
      movie + [.updateApp("2.0"), .backUp("b")], offline, finds: movieBackedUp),
    // Stories with files that the app did not save.
    ComparedStory(
      "a file handed over, and launched", [.place("Documents/m", size: 9)] + backups, offline,
      finds: fileBackedUp),
    ComparedStory(
      "a file handed over, and read",
      [
        .place("Documents/m", size: 9), .read("Documents/m"), .backUp("b1"), .relaunch,
        .read("Documents/m"), .backUp("b2"),
      ], offline, finds: fileBackedUp),
    ComparedStory(
      "a file handed over, and never launched",
      [.place("Documents/m", size: 9), .backUp("b1"), .backUp("b2")], offline),
    ComparedStory(
      "an old backup restored, and never launched",
      [
        .place("Documents/m", size: 9), .backUp("old"), .exclude("Documents/m"), .backUp("new"),
        .restore("old"), .backUp("restored"),
      ], offline),
    ComparedStory(
      "an old backup restored, and launched",
      [
        .place("Documents/m", size: 9), .backUp("old"), .exclude("Documents/m"), .backUp("new"),
        .restore("old"), .relaunch, .backUp("restored"),
      ], offline, finds: fileBackedUp),
    // Stories with other mistakes, and a story without a mistake.
    ComparedStory(
      "saved again without its mark",
      [
        .save("Documents/m", size: 9), .exclude("Documents/m"), .save("Documents/m", size: 8),
        .backUp("b"),
      ], offline, finds: ["reapply-on-save error Documents/m"]),
    ComparedStory(
      "read blindly after a purge",
      [.save("Library/Caches/m", size: 9), .purge, .read("Library/Caches/m")],
      "files: { '**': 'cached' }", finds: ["exists-before-use error Library/Caches/m"]),
    ComparedStory(
      "right throughout",
      movie + [.exclude("\(support)/m"), .updateApp("2.0")] + backups
        + [.save("\(support)/m", size: 8), .exclude("\(support)/m"), .backUp("b3")], offline),
  ]
}

// MARK: Steps

extension ComparedStory.Turn {
  /// The action of `ComparedStoryApp` for an app step; nil for a launch or an event of iOS.
  var action: (name: String, arguments: [String: String])? {
    switch self {
    case .makeDirectory(let path): ("makeDirectory", ["path": path])
    case .save(let path, let size): ("save", ["path": path, "size": "\(size)"])
    case .exclude(let path): ("exclude", ["path": path])
    case .link(let path, let target): ("link", ["path": path, "to": target])
    case .read(let path): ("read", ["path": path])
    default: nil
    }
  }

  /// The steps of the scenario file. If `byCode` is true, actions of the app replace app steps.
  fileprivate func steps(byCode: Bool) -> [String] {
    if byCode, let action {
      let arguments = action.arguments.sorted { $0.key < $1.key }
        .map { "\($0.key): '\($0.value)'" }.joined(separator: ", ")
      return ["{ perform: '\(action.name)', with: { \(arguments) } }"]
    }
    return switch self {
    case .makeDirectory(let path): ["{ createDirectory: '\(path)' }"]
    case .save(let path, let size): ["{ save: '\(path)', size: \(size) }"]
    case .exclude(let path): ["{ exclude: '\(path)' }"]
    case .link(let path, let target): ["{ link: '\(path)', to: '\(target)', absolute: true }"]
    case .read(let path): ["{ read: '\(path)' }"]
    case .relaunch: ["{ relaunch: {} }"]
    case .backUp(let label): ["{ backup: '\(label)' }"]
    case .place(let path, let size): ["{ place: '\(path)', size: \(size) }"]
    case .purge: ["{ purge: 'lowStorage' }"]
    case .updateApp(let version): ["{ updateApp: '\(version)' }"]
    case .updateSystem(let version): ["{ updateSystem: '\(version)' }"]
    case .offloadAndReinstall: ["{ offload: {} }", "{ reinstall: {} }"]
    case .restore(let label): ["{ restore: '\(label)' }"]
    }
  }
}

extension ComparedStory {
  /// The text of the story's scenario file.
  func text(byCode: Bool) -> String {
    let steps = turns.flatMap { $0.steps(byCode: byCode) }
    return "{ title: 'Told', \(head), steps: [\n\(steps.joined(separator: ",\n"))\n] }"
  }
}
#endif

import BackupScenarios
import TestSupport
import TrialSupport

/// A scenario of random steps. Most steps are correct in a run, so that exploration has to find the
/// problems.
struct RandomScenario {
  /// The steps, written as in a scenario file.
  private(set) var steps: [String] = []
  /// The scenario's other keys, for example `files`.
  private(set) var otherKeys = ""
  private let systems: [String]
  private let mayMarkAtLaunch: Bool
  private var presentPaths: [String] = []
  private var backupLabels: [String] = []
  private var latestVersionIndex: Int
  private var random: SeededGenerator

  private static let versions = ["5.0", "5.0.1", "5.1", "8", "9", "18", "26"]

  /// A random scenario that can be explored, and the result.
  struct Explored {
    let story: RandomScenario
    let scenario: Scenario
    let run: ExploredRun
  }

  /// Returns the first scenario of a seed that is valid and can be explored; nil if there is none
  /// among 100.
  static func explored(seed: UInt64) async throws -> Explored? {
    for attempt: UInt64 in 0..<100 {
      let story = RandomScenario(seed: seed &* 1_000 &+ attempt)
      guard let scenario = try? Trial.scenario(story.steps, story.otherKeys) else { continue }
      let run = try await ExploredRun(scenario)
      if run.isExplored { return Explored(story: story, scenario: scenario, run: run) }
    }
    return nil
  }

  private init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let first = Int.random(in: 0..<Self.versions.count, using: &random)
    let last = Int.random(in: first..<Self.versions.count, using: &random)
    latestVersionIndex = last
    systems =
      Bool.random(using: &random)
      ? [Self.versions[last]] : Set([first, last]).sorted().map { Self.versions[$0] }
    mayMarkAtLaunch = Int.random(in: 0..<5, using: &random) == 0
    let count = Int.random(in: 3...8, using: &random)
    while steps.count < count { addSteps() }
    if happens(oneIn: 2) { steps.append("{ backup: 'last' }") }
    otherKeys = makeOtherKeys()
  }

  var text: String {
    otherKeys + steps.enumerated().map { "\n\($0.offset + 1) \($0.element)" }.joined()
  }

  private mutating func makeOtherKeys() -> String {
    let classes = [
      "c": "critical", "k": "cached", "o": "offline", "s": "support", "t": "temporary",
      "x": "secret",
    ]
    let files = classes.sorted { $0.key < $1.key }.flatMap { letter, name in
      ["'**/\(letter)*': '\(name)'", "'*:/**/\(letter)*': '\(name)'"]
    }
    var keys = [
      "system: [\(systems.map { "'\($0)'" }.joined(separator: ", "))]",
      "app: { groups: ['group.x'], extensions: ['com.example.app.w'] }",
      "files: { \(files.joined(separator: ", ")) }",
    ]
    if happens(oneIn: 6) {
      keys.append("backups: '\(one(of: ["local", "local-encrypted", "off"]))'")
    }
    if happens(oneIn: 6) { keys.append("budget: '\(one(of: ["10", "20", "1 KB"]))'") }
    if happens(oneIn: 6) { keys.append("storage: '\(one(of: ["30", "1 KB"]))'") }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: keys.append("launch: [{ read: 'Library/Caches/k1', ifMissing: 'recreate', size: 2 }]")
    case 1: keys.append("launch: [{ save: 'Library/Caches/k2', size: 1 }]")
    case 2: keys.append("launch: [{ createDirectory: '\(support)/D' }]")
    case 3 where mayMarkAtLaunch && systems.allSatisfy { $0 != "5.0" && $0 != "5.0.1" }:
      keys.append("launch: [{ createDirectory: '\(support)/D' }, { exclude: '\(support)/D' }]")
    default: break
    }
    return keys.joined(separator: ", ")
  }

  // MARK: Choices

  /// Returns true in one of `count` cases.
  private mutating func happens(oneIn count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func one<Element>(of list: [Element]) -> Element {
    list[Int.random(in: list.indices, using: &random)]
  }

  /// Returns a file name, for example `c2`. The first letter stands for the file's class.
  private mutating func fileName(_ letters: [String]) -> String {
    "\(one(of: letters))\(Int.random(in: 1...2, using: &random))"
  }

  /// Returns the key `how` of a save; most often nothing.
  private mutating func howKey() -> String {
    one(of: ["", "", "", ", how: 'inPlace'", ", how: 'deleteFirst'"])
  }

  private mutating func contents() -> String {
    one(of: ["size: 3", "size: 5", "contents: 'old'", "contents: 'a newer text'"])
  }

  /// Returns the key `on` of a step; most often nothing.
  private mutating func onKey() -> String {
    guard systems.count > 1, happens(oneIn: 8) else { return "" }
    return ", on: '\(one(of: systems))'"
  }

  // MARK: Steps

  private mutating func addSteps() {
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<4: addUserFile()
    case 4..<8: addMarkedFile()
    case 8: addCachedFile()
    case 9: addTemporaryFile()
    case 10: addLink()
    case 11: addDefault()
    case 20, 21: addKeychainItem()
    case 12, 13: addUse()
    case 14, 15: addBackup()
    default: addSystemStep()
    }
  }

  private mutating func save(_ path: String, _ how: String) {
    let on = onKey()
    let isByWidget = path.hasPrefix("group.x:") && happens(oneIn: 2)
    let lastKeys = isByWidget ? "\(on), in: 'com.example.app.w'" : on
    steps.append("{ save: '\(path)', \(contents())\(how)\(lastKeys) }")
    if on.isEmpty, !presentPaths.contains(path) { presentPaths.append(path) }
  }

  private mutating func addUserFile() {
    let userFiles = presentPaths.filter { $0.contains("/c") }
    if !userFiles.isEmpty, happens(oneIn: 2) { return save(one(of: userFiles), howKey()) }
    let directory = one(of: [
      "Documents", "Documents", "Documents/D", "\(support)", "group.x:/", "group.x:/D",
    ])
    if directory.contains("D/") || directory.hasSuffix("/D") || directory == support {
      steps.append("{ createDirectory: '\(directory)' }")
    }
    save("\(directory.hasSuffix("/") ? directory : directory + "/")\(fileName(["c"]))", howKey())
  }

  private mutating func mark(_ path: String) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return
    case 1: steps.append("{ exclude: '\(path)', using: 'extendedAttribute' }")
    default:
      for system in systems.count > 1 && happens(oneIn: 2) ? systems : [""] {
        let isOld = ["5.0", "5.0.1"].contains(system.isEmpty ? systems[0] : system)
        let on = system.isEmpty ? "" : ", on: '\(system)'"
        let using = isOld ? ", using: 'extendedAttribute'" : ""
        steps.append("{ exclude: '\(path)'\(using)\(on) }")
      }
    }
  }

  private mutating func addMarkedFile() {
    let directory = one(of: [
      "\(support)/D", "\(support)", "Documents", "Documents/D", "group.x:/D", "Library/Caches",
    ])
    if directory != "Documents", directory != "Library/Caches" {
      steps.append("{ createDirectory: '\(directory)' }")
    }
    let path = "\(directory)/\(fileName(["o", "s", "x"]))"
    if directory.hasSuffix("/D"), happens(oneIn: 2) {
      mark(directory)
      save(path, howKey())
    } else if happens(oneIn: 4) {
      let draft = "tmp/\(fileName(["o", "t"]))"
      save(draft, "")
      if happens(oneIn: 2) { mark(draft) }
      steps.append("{ move: '\(draft)', to: '\(path)', over: true }")
      presentPaths.removeAll { $0 == draft }
      presentPaths.append(path)
      if happens(oneIn: 2) { mark(path) }
    } else {
      save(path, howKey())
      mark(path)
    }
  }

  private mutating func addCachedFile() {
    let path = "\(happens(oneIn: 4) ? "group.x:/" : "")Library/Caches/\(fileName(["k"]))"
    save(path, howKey())
    if happens(oneIn: 2) { addBackup() }
    if happens(oneIn: 2) {
      steps.append("{ read: '\(path)'\(happens(oneIn: 3) ? ", ifMissing: 'skip'" : "") }")
    }
  }

  private mutating func addTemporaryFile() {
    let path = "tmp/\(fileName(["t"]))"
    save(path, howKey())
    if !happens(oneIn: 3) { steps.append("{ remove: '\(path)' }") }
  }

  private mutating func addLink() {
    guard let target = presentPaths.randomElement(using: &random) else { return }
    let isAbsolute = happens(oneIn: 2)
    steps.append("{ link: 'Documents/l\(steps.count)', to: '\(target)', absolute: \(isAbsolute) }")
    let link = "Documents/l\(steps.count - 1)"
    if happens(oneIn: 2) { addBackup() }
    if !happens(oneIn: 3) { steps.append("{ read: '\(link)' }") }
  }

  private mutating func addDefault() {
    let value = Int.random(in: 1...2, using: &random)
    steps.append(
      happens(oneIn: 3) ? "{ readDefault: 'key' }" : "{ setDefault: { key: \(value) } }")
  }

  private mutating func addKeychainItem() {
    let name = fileName(["i"])
    switch Int.random(in: 0..<9, using: &random) {
    case 0: steps.append("{ readKeychainItem: '\(name)' }")
    case 1: steps.append("{ readKeychainItem: '\(name)', ifMissing: 'skip' }")
    case 2: steps.append("{ readKeychainItem: '\(name)', ifMissing: 'recreate' }")
    case 3: steps.append("{ removeKeychainItem: '\(name)' }")
    case 4:
      steps.append("{ readKeychainItem: '\(name)', ifMissing: 'recreate' }")
      steps.append("{ save: 'Documents/sealed', size: 100, sealedWith: '\(name)' }")
      if happens(oneIn: 2) { addSystemStep() }
      steps.append("{ read: 'Documents/sealed', ifMissing: 'skip' }")
    default:
      let accessibility = one(of: ["ordinary", "thisDeviceOnly"])
      steps.append("{ setKeychainItem: '\(name)', accessibility: '\(accessibility)' }")
      if happens(oneIn: 2) { addBackup() }
      if happens(oneIn: 2) { addSystemStep() }
      if happens(oneIn: 2) { steps.append("{ readKeychainItem: '\(name)' }") }
    }
  }

  /// Adds a step that uses a file. The file may be missing if iOS has deleted it.
  private mutating func addUse() {
    guard let path = presentPaths.randomElement(using: &random) else { return }
    let on = onKey()
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: steps.append("{ read: '\(path)'\(on) }")
    case 2: steps.append("{ read: '\(path)', ifMissing: 'skip'\(on) }")
    case 3: steps.append("{ read: '\(path)', ifMissing: 'recreate', size: 3\(on) }")
    case 4: steps.append("{ append: '\(path)', size: 1\(on) }")
    case 5:
      steps.append("{ remove: '\(path)' }")
      presentPaths.removeAll { $0 == path }
    case 6:
      let copy = "Documents/\(fileName(["c"]))"
      steps.append("{ copy: '\(path)', to: '\(copy)' }")
      presentPaths.append(copy)
    case 7: steps.append("{ include: '\(path)'\(on) }")
    default:
      let new = "Documents/\(fileName(["c", "o"]))"
      steps.append("{ move: '\(path)', to: '\(new)', over: true }")
      presentPaths.removeAll { $0 == path }
      presentPaths.append(new)
    }
  }

  private mutating func addBackup() {
    let label = "b\(happens(oneIn: 4) ? 0 : backupLabels.count)"
    if !backupLabels.contains(label) { backupLabels.append(label) }
    steps.append("{ backup: '\(label)' }")
  }

  private mutating func addSystemStep() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      steps.append("{ purge: '\(one(of: ["idle", "lowStorage", "criticalStorage"]))' }")
    case 1: steps.append("{ updateApp: '\(steps.count + 2)' }")
    case 2:
      guard latestVersionIndex + 1 < Self.versions.count else { return }
      latestVersionIndex = Int.random(
        in: latestVersionIndex + 1..<Self.versions.count, using: &random)
      steps.append("{ updateSystem: '\(Self.versions[latestVersionIndex])' }")
    case 3...5:
      guard !backupLabels.isEmpty else { return }
      let target = one(of: ["newDevice", "newDevice", "sameDevice", "transfer"])
      steps.append("{ restore: { label: '\(one(of: backupLabels))', to: '\(target)' }\(onKey()) }")
    case 6: steps.append(contentsOf: ["{ offload: {} }", "{ reinstall: {} }"])
    case 7: steps.append("{ kill: {} }")
    case 8: steps.append("{ relaunch: {} }")
    case 9: steps.append(contentsOf: ["{ restart: { locked: true } }", "{ unlock: {} }"])
    case 10: steps.append("{ restart: {} }")
    default: steps.append("{ place: 'Documents/\(fileName(["c", "o"]))', size: 4 }")
    }
  }
}

// MARK: Tokens

extension RandomScenario {
  /// Returns the kinds of the changes that a step can make.
  ///
  /// Each inner array has the possible kinds of one change. A step can make fewer changes.
  private static func kinds(of step: String) -> [[String]] {
    let kindsByKeyword = [
      ("deleteFirst", [["remove", "create"], ["create", "write"], ["write"]]),
      ("inPlace", [["create"], ["write"]]), ("save", [["create"], ["write"], ["rename"]]),
      ("ifMissing: 'recreate'", [["create"], ["write"], ["rename"]]),
      ("append", [["write"]]), ("exclude", [["mark"]]), ("include", [["unmark"]]),
      ("move", [["rename"]]), ("copy", [["create"]]), ("link", [["create"]]),
      ("remove", [["remove"], ["remove"]]), ("setDefault", [["write"]]),
      ("createDirectory", [["createDirectory"], ["createDirectory"]]),
    ]
    return kindsByKeyword.first { step.contains($0.0) }?.1 ?? []
  }

  /// The kinds of the changes that the steps of `launch` can make.
  private var launchChangeKinds: [[String]] {
    let text = otherKeys.split(separator: "launch: ").dropFirst().first.map(String.init) ?? ""
    return text.split(separator: "},").flatMap { Self.kinds(of: String($0)) }
  }

  /// The replay tokens of each single event at each point. Some of these points do not exist.
  var tokens: [String] {
    let events = Scenario.InjectableEvent.allCases.filter { event in
      ![.kill, .storageFull].contains(event) && (systems.count > 1 || event != .updateSystem)
    }
    return (1...steps.count + 1).flatMap { number -> [String] in
      let isQuiescentPoint =
        number == 1 || number > steps.count || Self.isBySystem(steps[number - 1])
        || Self.isBySystem(steps[number - 2])
      return (isQuiescentPoint ? events.map { "trial:\(number).\($0)" } : [])
        + (number <= steps.count ? killTokens(inStep: number) : [])
    }
  }

  private static func isBySystem(_ step: String) -> Bool {
    [
      "backup", "restore", "purge", "update", "offload", "reinstall", "kill", "relaunch", "place",
      "restart", "unlock",
    ].contains { step.hasPrefix("{ \($0)") }
  }

  private func killTokens(inStep number: Int) -> [String] {
    let stepKinds = Self.kinds(of: steps[number - 1])
    guard !stepKinds.isEmpty else { return [] }
    let launchKinds = launchChangeKinds
    // If the step starts the app, the changes of the launch come first. It is not known whether the
    // step does, or how many changes a launch makes, so each change can have any kind that fits.
    return (0..<stepKinds.count + launchKinds.count).flatMap { index -> [String] in
      let possibleStepKinds = (max(0, index - launchKinds.count)...index).flatMap {
        $0 < stepKinds.count ? stepKinds[$0] : []
      }
      let possibleLaunchKinds: [String] =
        index < launchKinds.count ? launchKinds[index...].flatMap(\.self) : []
      let kinds = Set(possibleStepKinds + possibleLaunchKinds)
      return kinds.sorted().map { "trial:\(number).kill(\(index + 1)~\($0))" }
    }
  }
}

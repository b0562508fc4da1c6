import BackupScenarios
import TestSupport
import TrialSupport

/// A scenario of random steps, mostly right as they are written, for exploration to find more.
struct RandomScenario {
  /// The steps, written as in a scenario file.
  private(set) var steps: [String] = []
  private(set) var head = ""
  private let systems: [String]
  private let hasMarkAtLaunch: Bool
  private var present: [String] = []
  private var labels: [String] = []
  private var latestSystem: Int
  private var random: SeededGenerator

  private static let eras = ["5.0", "5.0.1", "5.1", "8", "9", "18", "26"]

  /// A scenario that can be explored, with what that comes to.
  struct Explored {
    let story: RandomScenario
    let scenario: Scenario
    let run: ExploredRun
  }

  /// The first scenario of a seed that reads and can be explored; nil for none of many.
  static func explored(seed: UInt64) async throws -> Explored? {
    for attempt: UInt64 in 0..<100 {
      let story = RandomScenario(seed: seed &* 1_000 &+ attempt)
      guard let scenario = try? Trial.scenario(story.steps, story.head) else { continue }
      let run = try await ExploredRun(scenario)
      if run.isExplored { return Explored(story: story, scenario: scenario, run: run) }
    }
    return nil
  }

  private init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let first = Int.random(in: 0..<Self.eras.count, using: &random)
    let last = Int.random(in: first..<Self.eras.count, using: &random)
    latestSystem = last
    systems =
      Bool.random(using: &random)
      ? [Self.eras[last]] : Set([first, last]).sorted().map { Self.eras[$0] }
    hasMarkAtLaunch = Int.random(in: 0..<5, using: &random) == 0
    let count = Int.random(in: 3...8, using: &random)
    while steps.count < count { addSteps() }
    if chance(2) { steps.append("{ backup: 'last' }") }
    head = makeHead()
  }

  var text: String {
    head + steps.enumerated().map { "\n\($0.offset + 1) \($0.element)" }.joined()
  }

  private mutating func makeHead() -> String {
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
    if chance(6) { keys.append("backups: '\(one(of: ["local", "local-encrypted", "off"]))'") }
    if chance(6) { keys.append("budget: '\(one(of: ["10", "20", "1 KB"]))'") }
    if chance(6) { keys.append("storage: '\(one(of: ["30", "1 KB"]))'") }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: keys.append("launch: [{ read: 'Library/Caches/k1', ifMissing: 'recreate', size: 2 }]")
    case 1: keys.append("launch: [{ save: 'Library/Caches/k2', size: 1 }]")
    case 2: keys.append("launch: [{ createDirectory: '\(support)/D' }]")
    case 3 where hasMarkAtLaunch && systems.allSatisfy { $0 != "5.0" && $0 != "5.0.1" }:
      keys.append("launch: [{ createDirectory: '\(support)/D' }, { exclude: '\(support)/D' }]")
    default: break
    }
    return keys.joined(separator: ", ")
  }

  // MARK: Choices

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func one<Element>(of list: [Element]) -> Element {
    list[Int.random(in: list.indices, using: &random)]
  }

  private mutating func name(_ letters: [String]) -> String {
    "\(one(of: letters))\(Int.random(in: 1...2, using: &random))"
  }

  private mutating func way() -> String {
    one(of: ["", "", "", ", how: 'inPlace'", ", how: 'deleteFirst'"])
  }

  private mutating func contents() -> String {
    one(of: ["size: 3", "size: 5", "contents: 'old'", "contents: 'a newer text'"])
  }

  /// A key for a step that only some systems do; most often none.
  private mutating func on() -> String {
    guard systems.count > 1, chance(8) else { return "" }
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

  private mutating func save(_ path: String, _ way: String) {
    let on = on()
    let isOfWidget = path.hasPrefix("group.x:") && chance(2)
    let end = isOfWidget ? "\(on), in: 'com.example.app.w'" : on
    steps.append("{ save: '\(path)', \(contents())\(way)\(end) }")
    if on.isEmpty, !present.contains(path) { present.append(path) }
  }

  private mutating func addUserFile() {
    let own = present.filter { $0.contains("/c") }
    if !own.isEmpty, chance(2) { return save(one(of: own), way()) }
    let directory = one(of: [
      "Documents", "Documents", "Documents/D", "\(support)", "group.x:/", "group.x:/D",
    ])
    if directory.contains("D/") || directory.hasSuffix("/D") || directory == support {
      steps.append("{ createDirectory: '\(directory)' }")
    }
    save("\(directory.hasSuffix("/") ? directory : directory + "/")\(name(["c"]))", way())
  }

  private mutating func mark(_ path: String) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return
    case 1: steps.append("{ exclude: '\(path)', using: 'extendedAttribute' }")
    default:
      for system in systems.count > 1 && chance(2) ? systems : [""] {
        let isOld = ["5.0", "5.0.1"].contains(system.isEmpty ? systems[0] : system)
        let on = system.isEmpty ? "" : ", on: '\(system)'"
        let way = isOld ? ", using: 'extendedAttribute'" : ""
        steps.append("{ exclude: '\(path)'\(way)\(on) }")
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
    let path = "\(directory)/\(name(["o", "s", "x"]))"
    if directory.hasSuffix("/D"), chance(2) {
      mark(directory)
      save(path, way())
    } else if chance(4) {
      let draft = "tmp/\(name(["o", "t"]))"
      save(draft, "")
      if chance(2) { mark(draft) }
      steps.append("{ move: '\(draft)', to: '\(path)', over: true }")
      present.removeAll { $0 == draft }
      present.append(path)
      if chance(2) { mark(path) }
    } else {
      save(path, way())
      mark(path)
    }
  }

  private mutating func addCachedFile() {
    let path = "\(chance(4) ? "group.x:/" : "")Library/Caches/\(name(["k"]))"
    save(path, way())
    if chance(2) { addBackup() }
    if chance(2) { steps.append("{ read: '\(path)'\(chance(3) ? ", ifMissing: 'skip'" : "") }") }
  }

  private mutating func addTemporaryFile() {
    let path = "tmp/\(name(["t"]))"
    save(path, way())
    if !chance(3) { steps.append("{ remove: '\(path)' }") }
  }

  private mutating func addLink() {
    guard let target = present.randomElement(using: &random) else { return }
    let isAbsolute = chance(2)
    steps.append("{ link: 'Documents/l\(steps.count)', to: '\(target)', absolute: \(isAbsolute) }")
    let link = "Documents/l\(steps.count - 1)"
    if chance(2) { addBackup() }
    if !chance(3) { steps.append("{ read: '\(link)' }") }
  }

  private mutating func addDefault() {
    let value = Int.random(in: 1...2, using: &random)
    steps.append(
      chance(3) ? "{ readDefault: 'key' }" : "{ setDefault: { key: \(value) } }")
  }

  private mutating func addKeychainItem() {
    let name = name(["i"])
    switch Int.random(in: 0..<9, using: &random) {
    case 0: steps.append("{ readKeychainItem: '\(name)' }")
    case 1: steps.append("{ readKeychainItem: '\(name)', ifMissing: 'skip' }")
    case 2: steps.append("{ readKeychainItem: '\(name)', ifMissing: 'recreate' }")
    case 3: steps.append("{ removeKeychainItem: '\(name)' }")
    case 4:
      steps.append("{ readKeychainItem: '\(name)', ifMissing: 'recreate' }")
      steps.append("{ save: 'Documents/sealed', size: 100, sealedWith: '\(name)' }")
      if chance(2) { addSystemStep() }
      steps.append("{ read: 'Documents/sealed', ifMissing: 'skip' }")
    default:
      let accessibility = one(of: ["ordinary", "thisDeviceOnly"])
      steps.append("{ setKeychainItem: '\(name)', accessibility: '\(accessibility)' }")
      if chance(2) { addBackup() }
      if chance(2) { addSystemStep() }
      if chance(2) { steps.append("{ readKeychainItem: '\(name)' }") }
    }
  }

  /// Adds a use of a file that is probably there.
  private mutating func addUse() {
    guard let path = present.randomElement(using: &random) else { return }
    let on = on()
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: steps.append("{ read: '\(path)'\(on) }")
    case 2: steps.append("{ read: '\(path)', ifMissing: 'skip'\(on) }")
    case 3: steps.append("{ read: '\(path)', ifMissing: 'recreate', size: 3\(on) }")
    case 4: steps.append("{ append: '\(path)', size: 1\(on) }")
    case 5:
      steps.append("{ remove: '\(path)' }")
      present.removeAll { $0 == path }
    case 6:
      let copy = "Documents/\(name(["c"]))"
      steps.append("{ copy: '\(path)', to: '\(copy)' }")
      present.append(copy)
    case 7: steps.append("{ include: '\(path)'\(on) }")
    default:
      let new = "Documents/\(name(["c", "o"]))"
      steps.append("{ move: '\(path)', to: '\(new)', over: true }")
      present.removeAll { $0 == path }
      present.append(new)
    }
  }

  private mutating func addBackup() {
    let label = "b\(chance(4) ? 0 : labels.count)"
    if !labels.contains(label) { labels.append(label) }
    steps.append("{ backup: '\(label)' }")
  }

  private mutating func addSystemStep() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      steps.append("{ purge: '\(one(of: ["idle", "lowStorage", "criticalStorage"]))' }")
    case 1: steps.append("{ updateApp: '\(steps.count + 2)' }")
    case 2:
      guard latestSystem + 1 < Self.eras.count else { return }
      latestSystem = Int.random(in: latestSystem + 1..<Self.eras.count, using: &random)
      steps.append("{ updateSystem: '\(Self.eras[latestSystem])' }")
    case 3...5:
      guard !labels.isEmpty else { return }
      let target = one(of: ["newDevice", "newDevice", "sameDevice", "transfer"])
      steps.append("{ restore: { label: '\(one(of: labels))', to: '\(target)' }\(on()) }")
    case 6: steps.append(contentsOf: ["{ offload: {} }", "{ reinstall: {} }"])
    case 7: steps.append("{ kill: {} }")
    case 8: steps.append("{ relaunch: {} }")
    case 9: steps.append(contentsOf: ["{ restart: { locked: true } }", "{ unlock: {} }"])
    case 10: steps.append("{ restart: {} }")
    default: steps.append("{ place: 'Documents/\(name(["c", "o"]))', size: 4 }")
    }
  }
}

// MARK: Tokens

extension RandomScenario {
  /// The kinds of changes that a step may make, in their order as far as that is known, as many as
  /// there may be.
  private static func kinds(of step: String) -> [[String]] {
    let ways = [
      ("deleteFirst", [["remove", "create"], ["create", "write"], ["write"]]),
      ("inPlace", [["create"], ["write"]]), ("save", [["create"], ["write"], ["rename"]]),
      ("ifMissing: 'recreate'", [["create"], ["write"], ["rename"]]),
      ("append", [["write"]]), ("exclude", [["mark"]]), ("include", [["unmark"]]),
      ("move", [["rename"]]), ("copy", [["create"]]), ("link", [["create"]]),
      ("remove", [["remove"], ["remove"]]), ("setDefault", [["write"]]),
      ("createDirectory", [["createDirectory"], ["createDirectory"]]),
    ]
    return ways.first { step.contains($0.0) }?.1 ?? []
  }

  /// The changes of a start of the app that come before those of a step that starts it.
  private var kindsOfStart: [[String]] {
    let text = head.split(separator: "launch: ").dropFirst().first.map(String.init) ?? ""
    return text.split(separator: "},").flatMap { Self.kinds(of: String($0)) }
  }

  /// The tokens of every single event at every point; among them some that there are not.
  var tokens: [String] {
    let events = Scenario.InjectableEvent.allCases.filter { event in
      ![.kill, .storageFull].contains(event) && (systems.count > 1 || event != .updateSystem)
    }
    return (1...steps.count + 1).flatMap { number -> [String] in
      let isBetweenBlocks =
        number == 1 || number > steps.count || Self.isBySystem(steps[number - 1])
        || Self.isBySystem(steps[number - 2])
      return (isBetweenBlocks ? events.map { "trial:\(number).\($0)" } : [])
        + (number <= steps.count ? kills(in: number) : [])
    }
  }

  /// Whether a step is the system's, which acts between blocks of the app's.
  private static func isBySystem(_ step: String) -> Bool {
    [
      "backup", "restore", "purge", "update", "offload", "reinstall", "kill", "relaunch", "place",
      "restart", "unlock",
    ].contains { step.hasPrefix("{ \($0)") }
  }

  private func kills(in number: Int) -> [String] {
    let own = Self.kinds(of: steps[number - 1])
    guard !own.isEmpty else { return [] }
    let start = kindsOfStart
    // Whether this step starts the app, and how much of a start changes anything, is not known
    // here.
    return (0..<own.count + start.count).flatMap { index -> [String] in
      let possible = (max(0, index - start.count)...index).flatMap {
        $0 < own.count ? own[$0] : []
      }
      let kinds = Set(possible + (index < start.count ? start[index...].flatMap(\.self) : []))
      return kinds.sorted().map { "trial:\(number).kill(\(index + 1)~\($0))" }
    }
  }
}

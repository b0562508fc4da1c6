import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios
import TestSupport
import Testing
import TrialSupport

/// A story of random steps, with what the independent model says of its backups.
private struct RandomStory {
  /// What the model says of a backup.
  struct Prediction {
    /// All files, and whether it holds them.
    let files: [String: Bool]
    /// Those of which it is wrong by the app's fault.
    let faults: Set<String>
  }

  private(set) var steps: [String] = []
  private(set) var predictions: [Prediction] = []
  private let firstEra: Int
  private var model: IndependentModel
  private var labels: [String] = []
  /// Whether the app has had control since the system last did something.
  private var hasControl = false
  /// What was wrong when the app last had control.
  private var wrongInControl: Set<String> = []
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    firstEra = Int.random(in: 0..<IndependentModel.eras.count, using: &random)
    model = IndependentModel(era: firstEra)
    for _ in 0..<Int.random(in: 8...40, using: &random) { addStep() }
    if chance(2) { addRelaunch() }
    addBackup()
  }

  /// What a scenario of the steps says beside them.
  var head: String {
    let classes = [
      "c": "critical", "o": "offline", "s": "support", "k": "cached", "t": "temporary",
      "x": "secret",
    ]
    let files = classes.sorted { $0.key < $1.key }.flatMap { letter, name in
      ["'**/\(letter)*': '\(name)'", "'*:/**/\(letter)*': '\(name)'"]
    }
    return "system: '\(IndependentModel.eras[firstEra])', "
      + "app: { groups: ['group.x'] }, files: { \(files.joined(separator: ", ")) }"
  }

  // MARK: Choices

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func one<Element>(of list: [Element]) -> Element {
    list[Int.random(in: list.indices, using: &random)]
  }

  private static let ownDirectories = [
    "Documents/D", "Library/Application Support", "Library/Application Support/D",
    "Library/Caches/D", "Library/Own", "Own", "tmp/D", "group.x:/D", "group.x:/Library/Own",
    "group.x:/Library/Caches/D",
  ]
  private static let directories =
    ownDirectories + [
      "Documents", "Library", "Library/Caches", "tmp", "group.x:/", "group.x:/Library/Caches",
    ]

  /// A path of a file, there or not, in a directory that is there.
  private mutating func filePath() -> String {
    let directory = one(of: Self.directories.filter { model.items[$0] != nil })
    let name = "\(one(of: ["c", "o", "s", "k", "t", "x"]))\(one(of: [1, 2]))"
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// A file that is there.
  private mutating func file() -> String? {
    let files = model.files.keys.sorted()
    return files.isEmpty ? nil : one(of: files)
  }

  // MARK: Steps

  private mutating func addStep() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: addSave()
    case 6..<8: addDirectory()
    case 8..<12: addMark()
    case 12: addRemoval()
    case 13: addRelaunch()
    case 14: addPlacing()
    case 15..<17: addBackup()
    default: addSystemEvent()
    }
  }

  /// Adds a step of the app.
  private mutating func act(_ step: String, _ change: (inout IndependentModel) -> Void) {
    steps.append(step)
    change(&model)
    hasControl = true
  }

  /// Adds a step of the system.
  private mutating func happen(_ step: String, _ change: (inout IndependentModel) -> Void) {
    if hasControl { wrongInControl = model.wrongFiles }
    steps.append(step)
    change(&model)
    hasControl = false
  }

  /// Adds a save in one of seven ways.
  private mutating func addSave() {
    let path = filePath()
    let isThere = model.items[path] != nil
    switch Int.random(in: 0..<7, using: &random) {
    case 0: act("{ save: '\(path)', size: 3 }") { $0.makeFile(path) }
    case 1: act("{ save: '\(path)', size: 4, how: 'deleteFirst' }") { $0.makeFile(path) }
    case 2:
      act("{ save: '\(path)', size: 5, how: 'inPlace' }") { if !isThere { $0.makeFile(path) } }
    case 3:
      guard let path = file() else { return }
      act("{ append: '\(path)', size: 2 }") { _ in }
    case 4:
      guard let source = file(), source != path else { return }
      act("{ move: '\(source)', to: '\(path)', over: true }") {
        $0.copy(source, to: path)
        $0.remove(source)
      }
    case 5:
      guard let source = file(), !isThere else { return }
      act("{ copy: '\(source)', to: '\(path)' }") { $0.copy(source, to: path) }
    default: addMovedDirectory()
    }
  }

  private mutating func addMovedDirectory() {
    let source = one(of: Self.ownDirectories)
    let target = one(of: Self.ownDirectories)
    guard model.items[source] != nil, model.items[target] == nil, model.hasParent(target),
      !IndependentModel.lies(target, in: source)
    else { return }
    act("{ move: '\(source)', to: '\(target)' }") {
      $0.copy(source, to: target)
      $0.remove(source)
    }
  }

  private mutating func addDirectory() {
    let path = one(of: Self.ownDirectories)
    guard model.hasParent(path) else { return }
    act("{ createDirectory: '\(path)' }") { $0.makeDirectory(path) }
  }

  private mutating func addMark() {
    let file = file()
    let directory = one(of: Self.directories)
    guard let path = chance(4) ? directory : file, model.items[path] != nil else { return }
    let isOfOldWay = !chance(6)
    let byAttribute = model.era < 2 ? isOfOldWay : !isOfOldWay
    let isMarked = !chance(6)
    let way = byAttribute ? "extendedAttribute" : "resourceValue"
    act("{ \(isMarked ? "exclude" : "include"): '\(path)', using: '\(way)' }") {
      $0.mark(path, byAttribute: byAttribute, isMarked)
    }
  }

  private mutating func addRemoval() {
    let file = file()
    let directory = one(of: Self.ownDirectories)
    guard let path = chance(3) ? directory : file, model.items[path] != nil else { return }
    act("{ remove: '\(path)' }") { $0.remove(path) }
  }

  private mutating func addRelaunch() { act("{ relaunch: {} }") { _ in } }

  private mutating func addPlacing() {
    let path = filePath()
    guard model.items[path] == nil else { return }
    happen("{ place: '\(path)', size: 7 }") { $0.makeFile(path) }
  }

  private mutating func addBackup() {
    let label = "b\(labels.count)"
    labels.append(label)
    let wrong = model.wrongFiles
    let faults = hasControl ? wrong : wrong.intersection(wrongInControl)
    predictions.append(Prediction(files: model.files, faults: faults))
    steps.append("{ backup: '\(label)' }")
    model.backUp(label)
  }

  private mutating func addSystemEvent() {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let urgency = one(of: ["idle", "lowStorage", "criticalStorage"])
      happen("{ purge: '\(urgency)' }") { $0.purge(urgency) }
    case 1: happen("{ updateApp: '\(steps.count + 2)' }") { $0.updateApp() }
    case 2:
      guard model.era + 1 < IndependentModel.eras.count else { return }
      let era = Int.random(in: model.era + 1..<IndependentModel.eras.count, using: &random)
      happen("{ updateSystem: '\(IndependentModel.eras[era])' }") { $0.updateSystem(to: era) }
    default:
      guard !labels.isEmpty else { return }
      let label = one(of: labels)
      happen("{ restore: '\(label)' }") { $0.restore(label) }
    }
  }
}

extension RandomStory {
  /// What happens when it is run.
  func transcript() async throws -> Transcript {
    let transcript = try await Trial.transcript(steps, head)
    #expect(transcript.failure == nil, "\(text)")
    return transcript
  }

  /// The steps with their numbers.
  var text: String {
    head + steps.enumerated().map { "\n\($0.offset + 1) \($0.element)" }.joined()
  }
}

extension Transcript {
  /// The files of the device at each backup, and whether it holds them; without the app's bundle.
  fileprivate var backedUpFiles: [[String: Bool]] {
    entries.compactMap(\.event.backup).map { backup in
      backup.contents.decisions.reduce(into: [:]) { files, decision in
        let path = "\(decision.path)"
        guard decision.size != nil, !path.hasPrefix("app.app/") else { return }
        files[path] = decision.isIncluded
      }
    }
  }
}

/// The simulators, the rules and a model that knows neither, on the same stories.
@Suite struct `In random stories` {
  /// The rules that say of a backup that it is wrong.
  private static let ofBackups: Set = [
    "recreatable-data-backed-up", "secret-backed-up", "user-data-excluded",
  ]

  @Test func `backups, faults and findings are those of the independent model`() async throws {
    for seed in Thoroughness.seeds(300, of: 10_000) {
      let story = RandomStory(seed: seed)
      let transcript = try await story.transcript()
      #expect(
        transcript.backedUpFiles == story.predictions.map(\.files), "seed \(seed): \(story.text)")
      let errors = RuleList.findings(in: transcript).filter { $0.severity == .error }
      let faults = story.predictions.reduce(into: Set<String>()) { $0.formUnion($1.faults) }
      // Each file that is wrong by the app's fault has an error on it or above it.
      let accused = Set(errors.compactMap { $0.path?.description })
      let silent = faults.filter { file in
        !accused.contains { IndependentModel.lies(file, in: $0) }
      }
      #expect(silent.sorted() == [], "seed \(seed): \(story.text)")
      // No file is blamed on the app for backups that are not its fault.
      let blamed = errors.filter { Self.ofBackups.contains($0.rule) }
        .compactMap { $0.path?.description }
        .filter { path in !faults.contains { IndependentModel.lies($0, in: path) } }
      #expect(blamed == [], "seed \(seed): \(story.text)")
    }
  }
}

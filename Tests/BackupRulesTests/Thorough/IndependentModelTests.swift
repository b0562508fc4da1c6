import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios
import TestSupport
import Testing
import TrialSupport

/// A scenario of random steps, with the independent model's predictions of its backups.
private struct RandomScenario {
  /// The model's prediction of a backup.
  struct Prediction {
    /// All files, and whether the backup contains them.
    let files: [String: Bool]
    /// The files for which the backup is wrong, and the app is responsible.
    let faults: Set<String>
  }

  private(set) var steps: [String] = []
  private(set) var predictions: [Prediction] = []
  private let firstEra: Int
  private var model: IndependentModel
  private var labels: [String] = []
  /// Whether the app has had control since the last step of iOS.
  private var hasControl = false
  /// The files for which a backup would have been wrong when the app last had control.
  private var wrongInControl: Set<String> = []
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    firstEra = Int.random(in: 0..<IndependentModel.eras.count, using: &random)
    model = IndependentModel(era: firstEra)
    for _ in 0..<Int.random(in: 8...40, using: &random) { addStep() }
    if occursOnce(in: 2) { addRelaunch() }
    addBackup()
  }

  /// The other keys of the scenario.
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

  private mutating func occursOnce(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func randomElement<Element>(of list: [Element]) -> Element {
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

  /// Returns the path of a file, existing or not, in an existing directory.
  private mutating func randomFilePath() -> String {
    let directory = randomElement(of: Self.directories.filter { model.items[$0] != nil })
    let name = "\(randomElement(of: ["c", "o", "s", "k", "t", "x"]))\(randomElement(of: [1, 2]))"
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// Returns an existing file; nil if there is none.
  private mutating func existingFile() -> String? {
    let files = model.files.keys.sorted()
    return files.isEmpty ? nil : randomElement(of: files)
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

  private mutating func addAppStep(_ step: String, _ change: (inout IndependentModel) -> Void) {
    steps.append(step)
    change(&model)
    hasControl = true
  }

  private mutating func addSystemStep(_ step: String, _ change: (inout IndependentModel) -> Void) {
    if hasControl { wrongInControl = model.wrongFiles }
    steps.append(step)
    change(&model)
    hasControl = false
  }

  /// Adds a save in one of seven ways.
  private mutating func addSave() {
    let path = randomFilePath()
    let exists = model.items[path] != nil
    switch Int.random(in: 0..<7, using: &random) {
    case 0: addAppStep("{ save: '\(path)', size: 3 }") { $0.makeFile(path) }
    case 1: addAppStep("{ save: '\(path)', size: 4, how: 'deleteFirst' }") { $0.makeFile(path) }
    case 2:
      addAppStep("{ save: '\(path)', size: 5, how: 'inPlace' }") {
        if !exists { $0.makeFile(path) }
      }
    case 3:
      guard let path = existingFile() else { return }
      addAppStep("{ append: '\(path)', size: 2 }") { _ in }
    case 4:
      guard let source = existingFile(), source != path else { return }
      addAppStep("{ move: '\(source)', to: '\(path)', over: true }") {
        $0.copy(source, to: path)
        $0.remove(source)
      }
    case 5:
      guard let source = existingFile(), !exists else { return }
      addAppStep("{ copy: '\(source)', to: '\(path)' }") { $0.copy(source, to: path) }
    default: addMovedDirectory()
    }
  }

  private mutating func addMovedDirectory() {
    let source = randomElement(of: Self.ownDirectories)
    let target = randomElement(of: Self.ownDirectories)
    guard model.items[source] != nil, model.items[target] == nil, model.hasParent(target),
      !IndependentModel.lies(target, in: source)
    else { return }
    addAppStep("{ move: '\(source)', to: '\(target)' }") {
      $0.copy(source, to: target)
      $0.remove(source)
    }
  }

  private mutating func addDirectory() {
    let path = randomElement(of: Self.ownDirectories)
    guard model.hasParent(path) else { return }
    addAppStep("{ createDirectory: '\(path)' }") { $0.makeDirectory(path) }
  }

  private mutating func addMark() {
    let file = existingFile()
    let directory = randomElement(of: Self.directories)
    guard let path = occursOnce(in: 4) ? directory : file, model.items[path] != nil else { return }
    let isUsualMark = !occursOnce(in: 6)
    let byAttribute = model.era < 2 ? isUsualMark : !isUsualMark
    let isMarked = !occursOnce(in: 6)
    let markName = byAttribute ? "extendedAttribute" : "resourceValue"
    addAppStep("{ \(isMarked ? "exclude" : "include"): '\(path)', using: '\(markName)' }") {
      $0.mark(path, byAttribute: byAttribute, isMarked)
    }
  }

  private mutating func addRemoval() {
    let file = existingFile()
    let directory = randomElement(of: Self.ownDirectories)
    guard let path = occursOnce(in: 3) ? directory : file, model.items[path] != nil else { return }
    addAppStep("{ remove: '\(path)' }") { $0.remove(path) }
  }

  private mutating func addRelaunch() { addAppStep("{ relaunch: {} }") { _ in } }

  private mutating func addPlacing() {
    let path = randomFilePath()
    guard model.items[path] == nil else { return }
    addSystemStep("{ place: '\(path)', size: 7 }") { $0.makeFile(path) }
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
      let urgency = randomElement(of: ["idle", "lowStorage", "criticalStorage"])
      addSystemStep("{ purge: '\(urgency)' }") { $0.purge(urgency) }
    case 1: addSystemStep("{ updateApp: '\(steps.count + 2)' }") { $0.updateApp() }
    case 2:
      guard model.era + 1 < IndependentModel.eras.count else { return }
      let era = Int.random(in: model.era + 1..<IndependentModel.eras.count, using: &random)
      addSystemStep("{ updateSystem: '\(IndependentModel.eras[era])' }") {
        $0.updateSystem(to: era)
      }
    default:
      guard !labels.isEmpty else { return }
      let label = randomElement(of: labels)
      addSystemStep("{ restore: '\(label)' }") { $0.restore(label) }
    }
  }
}

extension RandomScenario {
  /// Runs the scenario.
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
  /// For each backup, the device's files except for the bundle, and whether the backup contains
  /// them.
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

/// The simulators and the rules agree with the independent model on random scenarios.
@Suite struct `In random scenarios` {
  /// The rules that report a wrong backup.
  private static let backupRules: Set = [
    "recreatable-data-backed-up", "secret-backed-up", "user-data-excluded",
  ]

  @Test func `backups and findings agree with the independent model`() async throws {
    for seed in Thoroughness.seeds(300, of: 10_000) {
      let scenario = RandomScenario(seed: seed)
      let transcript = try await scenario.transcript()
      #expect(
        transcript.backedUpFiles == scenario.predictions.map(\.files),
        "seed \(seed): \(scenario.text)")
      let errors = RuleList.findings(in: transcript).filter { $0.severity == .error }
      let faults = scenario.predictions.reduce(into: Set<String>()) { $0.formUnion($1.faults) }
      // Each file for which the app is responsible has an error, on itself or on a directory above
      // it.
      let reportedPaths = Set(errors.compactMap { $0.path?.description })
      let unreportedFiles = faults.filter { file in
        !reportedPaths.contains { IndependentModel.lies(file, in: $0) }
      }
      #expect(unreportedFiles.sorted() == [], "seed \(seed): \(scenario.text)")
      // The app is blamed only for files for which it is responsible.
      let wronglyReported = errors.filter { Self.backupRules.contains($0.rule) }
        .compactMap { $0.path?.description }
        .filter { path in !faults.contains { IndependentModel.lies($0, in: path) } }
      #expect(wronglyReported == [], "seed \(seed): \(scenario.text)")
    }
  }
}

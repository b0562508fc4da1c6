import BackupContainer
package import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupFolders

/// The answers of a backup to the questions of the probe app, from the app's lists in it: the items that are in the
/// backup, or the items that are left if the app listed them again after an event such as an update.
package struct ProbeAnswers: Sendable {
  fileprivate struct Answer {
    let question: String
    /// The observation, or the reason that the item could not be made.
    let words: String
    let outcome: Outcome
  }

  /// The comparison of an observation with the prediction.
  fileprivate enum Outcome: CaseIterable {
    case otherThanPredicted, asPredicted, notAnswered

    init(isAsPredicted: Bool) { self = isAsPredicted ? .asPredicted : .otherThanPredicted }

    var words: String {
      switch self {
      case .otherThanPredicted: "other than predicted"
      case .asPredicted: "as predicted"
      case .notAnswered: "not answered"
      }
    }
  }

  package let app: String
  private let answers: [Answer]
  package var remarks: [String] = []
  /// The event before the last list; nil if the backup itself answers.
  private let occasion: ContainerList.Occasion?
  private let folder: BackupFolder
  private let profile: SystemProfile
  private let kit: String

  /// Reads the lists of an app; returns nil if it has no first list with questions.
  package init?(
    of app: String, in folder: BackupFolder, on profile: SystemProfile, kit: String
  ) throws {
    let domain = BackupDomain(nil, of: app)
    let contents = try folder.contents(of: [domain], app: app)
    try self.init(of: app, in: folder, contents, on: profile, kit: kit) { path in
      try folder.bytes(ofList: path, in: domain, contents)
    }
  }

  /// Reads the lists of an app, which may be from an untrusted source.
  init?(
    of app: String, in folder: BackupFolder, _ contents: BackupContents, on profile: SystemProfile,
    kit: String, bytes: (ContainerPath) throws -> [UInt8]?
  ) throws {
    let domain = BackupDomain(nil, of: app)
    func list(at path: ContainerPath) throws -> (items: ContainerList, tree: FileTree)? {
      guard let bytes = try bytes(path) else { return nil }
      let name = folder.name(ofList: path, in: domain)
      let list = try ContainerList(bytes, named: name)
      // The list after one event can be the first list before the next.
      guard list.bundleIdentifier == app, [ContainerList.place, list.place].contains(path) else {
        throw BackupFolderError(
          name, "this is the list of another app or occasion; have the probe app write it again")
      }
      return (list, try list.tree(of: name))
    }
    guard let (first, tree) = try list(at: ContainerList.place),
      first.items.values.contains(where: { $0.question != nil })
    else { return nil }
    let later = try ContainerList.places.dropFirst().compactMap { try list(at: $0)?.items }
    guard later.count < 2 else {
      throw BackupFolderError(
        folder.path,
        "the backup contains lists after several occasions; open the probe app, tap what happened "
          + "last, and take the backup again")
    }
    (self.app, self.folder, self.profile, self.kit) = (app, folder, profile, kit)
    self.occasion = later.first?.occasion
    if let last = later.first, let occasion {
      let (least, most) = try occasion.predict(tree, on: profile)
      self.answers = try first.answers { path, text, line in
        guard let now = last.items[text] else {
          return ("missing", Outcome(isAsPredicted: !least.contains(path)))
        }
        let mark =
          line.marks.isEmpty ? "" : ", and the mark is \(now.marks.isEmpty ? "lost" : "kept")"
        return (
          "still there\(mark)\(line.changes(to: now))",
          Outcome(isAsPredicted: most[path].map { $0.marks == now.marks } ?? false)
        )
      }
    } else {
      let comparison = BackupComparison(
        contents, with: tree, domains: [domain], examined: [domain], on: profile)
      let mispredicted = Set(
        comparison.differences.filter { $0.kind.reason != nil || $0.kind == .missing }
          .map(\.path))
      self.answers = try first.answers { path, _, line in
        let (isIn, isLost) = (contents.records[path] != nil, line.marks.isEmpty)
        let mark = " the mark is \(isLost ? "lost" : "kept")"
        let words = line.wasMarked ? (isIn == isLost ? ", since" : ", although") + mark : ""
        let isPredicted = line.question.map { Self.markLosingSaves.contains($0) == isLost } ?? true
        return (
          (isIn ? "in the backup" : "not in the backup") + words,
          Outcome(isAsPredicted: !mispredicted.contains(path) && (isPredicted || !line.wasMarked))
        )
      }
    }
  }

  /// The questions about saves that lose the mark.
  package static let markLosingSaves: Set = [
    "marked, then saved atomically", "marked, then replaced by replaceItemAt",
  ]

  /// True if there are answers, and all are as predicted.
  package var areAsPredicted: Bool {
    answers.contains { $0.outcome == .asPredicted } && questions(.otherThanPredicted).isEmpty
  }

  private func questions(_ outcome: Outcome) -> [String] {
    answers.filter { $0.outcome == outcome }.map(\.question)
  }

  package var text: String {
    let after = occasion.map { ", after \($0.words)" } ?? ""
    let title = "\(app) on \(folder.title)\(after), by the rules of iOS \(profile.version)"
    let texts = Outcome.allCases.map { outcome in
      answers.filter { $0.outcome == outcome }
        .map { "\($0.question): \($0.words)".onOneLine.asMessage }.section(outcome.words)
    }
    return "\(title)\n" + texts.joined() + remarks.map { "\($0)\n" }.joined()
  }

  /// The answers by question, and the device that gave them.
  package var record: JSONValue {
    [
      "format": .number(2), "kit": .string(kit), "system": .string(folder.productVersion ?? ""),
      "build": .string(folder.build ?? ""), "model": .string(folder.model ?? ""),
      "backup": .string(folder.isEncrypted ? "encrypted" : "unencrypted"),
      "after": occasion.map { .string($0.rawValue) },
      "answers": .object(
        Dictionary(
          uniqueKeysWithValues: answers.filter { $0.outcome != .notAnswered }
            .map { ($0.question, .string($0.words)) })),
    ]
  }

  package var json: JSONValue {
    [
      "record": record,
      "otherThanPredicted": .strings(questions(.otherThanPredicted)),
      "notAnswered": .strings(questions(.notAnswered)),
      "notes": .strings(remarks),
    ]
  }
}

extension ContainerList {
  /// Returns the answers to the questions of the list, in order. `answer` returns the observation of an item, and its
  /// comparison with the prediction; it gets the item's path, the path as the list writes it, and the item's line.
  fileprivate func answers(
    _ answer: (ContainerPath, String, Line) -> (String, ProbeAnswers.Outcome)
  ) throws -> [ProbeAnswers.Answer] {
    try items.sorted { $0.value.number < $1.value.number }.compactMap { text, line in
      guard let question = line.question else { return nil }
      guard line.kind != "-", let bytes = EscapedText.unescape(text) else {
        return ProbeAnswers.Answer(
          question: question, words: "the item could not be made: \(line.target)",
          outcome: .notAnswered)
      }
      let (words, outcome) = answer(try ContainerPath(bytes: bytes), text, line)
      return ProbeAnswers.Answer(question: question, words: words, outcome: outcome)
    }
  }
}

extension ContainerList.Line {
  /// Returns the other changes of an item, such as `; its date has changed`.
  fileprivate func changes(to other: Self) -> String {
    var words = ""
    if other.modified != modified { words += "; its date has changed" }
    if other.mode != mode { words += "; its permissions have changed" }
    if kind == "f", other.links != links { words += "; its number of hard links has changed" }
    return words
  }
}

extension ContainerList.Occasion {
  fileprivate var words: String {
    switch self {
    case .restore: "a restore"
    case .update: "an update of the app"
    case .offload: "an offload"
    case .transfer: "a transfer from another device"
    case .purge: "a lack of storage"
    }
  }

  /// Returns the items that are certainly left of a container after the event, and those that may be left.
  fileprivate func predict(
    _ tree: FileTree, on profile: SystemProfile
  ) throws -> (FileTree, FileTree) {
    switch self {
    case .restore, .transfer:
      let set = BackupSimulator(profile: profile, backups: .local).backUp(tree)
      let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
      return (restored, restored)
    case .update:
      let all = try PathPattern("**")
      return (UpdateSimulator(profile: profile).update(tree, losing: [all]), tree)
    case .offload:
      let left = OffloadSimulator(profile: profile).offload(tree)
      return (left, left)
    case .purge: return (PurgeSimulator(profile: profile).purge(tree, .criticalStorage).tree, tree)
    }
  }
}

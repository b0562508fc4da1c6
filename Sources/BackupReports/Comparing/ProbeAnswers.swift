import BackupContainer
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupFolders

/// The answers of a backup to the questions of the probe app.
///
/// The probe app creates items and writes them to a list, with a question about each. If the app
/// wrote a second list after an event, such as an update, the answers say which items were still
/// there. If there is only one list, the answers say which items are in the backup.
package struct ProbeAnswers: Sendable {
  fileprivate struct Answer {
    let question: String
    /// The observation, or the reason why the app could not create the item.
    let observation: String
    let outcome: Outcome
  }

  /// The result of comparing an observation with the prediction.
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
  /// The event before the second list, or nil if there is only one list.
  private let occasion: ContainerList.Occasion?
  private let folder: BackupFolder
  private let profile: SystemProfile
  private let kitVersion: String

  /// Reads the app's lists from a backup. Returns nil if there is no first list with questions.
  package init?(
    of app: String, in folder: BackupFolder, on profile: SystemProfile, kit: String
  ) throws {
    let domain = BackupDomain(nil, of: app)
    let contents = try folder.contents(of: [domain], app: app)
    try self.init(of: app, in: folder, contents, on: profile, kit: kit) { path in
      try folder.bytes(ofList: path, in: domain, contents)
    }
  }

  /// Reads the app's lists, which may be from an untrusted source. `bytesOfList` returns the
  /// contents of the list at a path, or nil if the backup does not contain the list.
  init?(
    of app: String, in folder: BackupFolder, _ contents: BackupContents, on profile: SystemProfile,
    kit: String, bytesOfList: (ContainerPath) throws -> [UInt8]?
  ) throws {
    let domain = BackupDomain(nil, of: app)
    func list(at path: ContainerPath) throws -> (list: ContainerList, tree: FileTree)? {
      guard let bytes = try bytesOfList(path) else { return nil }
      let listName = folder.name(ofList: path, in: domain)
      let list = try ContainerList(bytes, named: listName)
      // The first list may be one that the app wrote at another path, after an earlier event.
      guard list.bundleIdentifier == app, [ContainerList.firstListPath, list.path].contains(path)
      else {
        throw BackupFolderError(
          listName, "this is the list of another app or occasion; have the probe app write it again"
        )
      }
      return (list, try list.tree(named: listName))
    }
    guard let (firstList, tree) = try list(at: ContainerList.firstListPath),
      firstList.linesByPath.values.contains(where: { $0.question != nil })
    else { return nil }
    let laterLists = try ContainerList.allPaths.dropFirst().compactMap { try list(at: $0)?.list }
    guard laterLists.count < 2 else {
      throw BackupFolderError(
        folder.path,
        "the backup contains lists after several occasions; open the probe app, tap what happened "
          + "last, and take the backup again")
    }
    (self.app, self.folder, self.profile, self.kitVersion) = (app, folder, profile, kit)
    self.occasion = laterLists.first?.precedingEvent
    if let secondList = laterLists.first, let occasion {
      let (certainlyKeptItems, possiblyKeptItems) = try occasion.predict(tree, on: profile)
      self.answers = try firstList.answers { path, listedPath, line in
        guard let secondLine = secondList.linesByPath[listedPath] else {
          return ("missing", Outcome(isAsPredicted: !certainlyKeptItems.contains(path)))
        }
        let markPhrase =
          line.marks.isEmpty
          ? "" : ", and the mark is \(secondLine.marks.isEmpty ? "lost" : "kept")"
        return (
          "still there\(markPhrase)\(line.changes(to: secondLine))",
          Outcome(
            isAsPredicted: possiblyKeptItems[path].map { $0.marks == secondLine.marks } ?? false)
        )
      }
    } else {
      let comparison = BackupComparison(
        contents, with: tree, domains: [domain], examined: [domain], on: profile)
      let mispredicted = Set(
        comparison.differences.filter { $0.kind.reason != nil || $0.kind == .missing }
          .map(\.path))
      self.answers = try firstList.answers { path, _, line in
        let (isInBackup, isMarkLost) = (contents.records[path] != nil, line.marks.isEmpty)
        let markPhrase = " the mark is \(isMarkLost ? "lost" : "kept")"
        let reasonPhrase =
          line.wasMarked ? (isInBackup == isMarkLost ? ", since" : ", although") + markPhrase : ""
        let isMarkAsPredicted =
          line.question.map { Self.markLossQuestions.contains($0) == isMarkLost } ?? true
        return (
          (isInBackup ? "in the backup" : "not in the backup") + reasonPhrase,
          Outcome(
            isAsPredicted: !mispredicted.contains(path) && (isMarkAsPredicted || !line.wasMarked))
        )
      }
    }
  }

  /// The questions about saves after which the file has no mark.
  package static let markLossQuestions: Set = [
    "marked, then saved atomically", "marked, then replaced by replaceItemAt",
  ]

  /// True if at least one answer is as predicted, and none is other than predicted.
  package var areAsPredicted: Bool {
    answers.contains { $0.outcome == .asPredicted } && questions(.otherThanPredicted).isEmpty
  }

  private func questions(_ outcome: Outcome) -> [String] {
    answers.filter { $0.outcome == outcome }.map(\.question)
  }

  package var text: String {
    let occasionPhrase = occasion.map { ", after \($0.words)" } ?? ""
    let title = "\(app) on \(folder.title)\(occasionPhrase), by the rules of iOS \(profile.version)"
    let sections = Outcome.allCases.map { outcome in
      answers.filter { $0.outcome == outcome }
        .map { "\($0.question): \($0.observation)".onOneLine.asMessage }.section(outcome.words)
    }
    return "\(title)\n" + sections.joined() + remarks.map { "\($0)\n" }.joined()
  }

  /// The answers by question, and the device, as JSON. Questions without an answer are missing.
  package var recordJSON: JSONValue {
    [
      "format": .number(2), "kit": .string(kitVersion),
      "system": .string(folder.productVersion ?? ""),
      "build": .string(folder.build ?? ""), "model": .string(folder.model ?? ""),
      "backup": .string(folder.isEncrypted ? "encrypted" : "unencrypted"),
      "after": occasion.map { .string($0.rawValue) },
      "answers": .object(
        Dictionary(
          uniqueKeysWithValues: answers.filter { $0.outcome != .notAnswered }
            .map { ($0.question, .string($0.observation)) })),
    ]
  }

  package var json: JSONValue {
    [
      "record": recordJSON,
      "otherThanPredicted": .strings(questions(.otherThanPredicted)),
      "notAnswered": .strings(questions(.notAnswered)),
      "notes": .strings(remarks),
    ]
  }
}

extension ContainerList {
  /// Returns the answers to the questions of the list, in order.
  ///
  /// For each item, `answer` receives the path, the path as the list writes it, and the item's
  /// line. `answer` returns the observation, and whether the observation is as predicted.
  fileprivate func answers(
    _ answer: (ContainerPath, String, Line) -> (String, ProbeAnswers.Outcome)
  ) throws -> [ProbeAnswers.Answer] {
    try linesByPath.sorted { $0.value.number < $1.value.number }.compactMap { listedPath, line in
      guard let question = line.question else { return nil }
      guard line.kindLetter != "-", let bytes = EscapedText.unescape(listedPath) else {
        return ProbeAnswers.Answer(
          question: question, observation: "the item could not be made: \(line.targetOrReason)",
          outcome: .notAnswered)
      }
      let (observation, outcome) = answer(try ContainerPath(bytes: bytes), listedPath, line)
      return ProbeAnswers.Answer(question: question, observation: observation, outcome: outcome)
    }
  }
}

extension ContainerList.Line {
  /// Returns the changes of an item in words, such as `; its date has changed`. A change of the
  /// mark is not one of them.
  fileprivate func changes(to other: Self) -> String {
    var words = ""
    if other.modificationTime != modificationTime { words += "; its date has changed" }
    if other.permissions != permissions { words += "; its permissions have changed" }
    if kindLetter == "f", other.linkCount != linkCount {
      words += "; its number of hard links has changed"
    }
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

  /// Predicts a container after the event. Returns a tree of the items that are certainly kept, and
  /// a tree of all items that may be kept.
  fileprivate func predict(
    _ tree: FileTree, on profile: SystemProfile
  ) throws -> (FileTree, FileTree) {
    switch self {
    case .restore, .transfer:
      let set = BackupSimulator(profile: profile, backups: .local).backUp(tree)
      let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
      return (restored, restored)
    case .update:
      let allItems = try PathPattern("**")
      return (UpdateSimulator(profile: profile).update(tree, losing: [allItems]), tree)
    case .offload:
      let offloaded = OffloadSimulator(profile: profile).offload(tree)
      return (offloaded, offloaded)
    case .purge: return (PurgeSimulator(profile: profile).purge(tree, .criticalStorage).tree, tree)
    }
  }
}

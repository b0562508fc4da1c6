import BackupCollections
package import BackupContainer
package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupRules
package import BackupScenarios
package import BackupVerdicts

/// An inspection of a container on disk: the items that a backup would include, and the findings of
/// the rules.
package struct Inspection: Sendable {
  package struct Context: Sendable {
    package var name: String
    package var configuration: SessionConfiguration
    package var appIdentifier: String?
    package var notes: [String] = []

    /// Creates the context for a container under a version of iOS, without facts about the app.
    package init(named name: String, on profile: SystemProfile) {
      self.name = name
      self.configuration = SessionConfiguration(profile: profile)
    }
  }

  package let context: Context
  package let backupSet: BackupSet
  package let tree: FileTree
  package let tally: InspectionTally
  /// The findings. Similar findings on files in one directory are merged.
  package let findings: [Scenario.Finding]
  package var changes: InspectionChanges?
  private let explanation: ItemExplanation?

  /// Inspects a container: simulates one backup, and checks the rules for which the context has
  /// data.
  package init(of tree: FileTree, _ context: Context) {
    let transcript = Transcript(ofFoundContainers: tree, context.configuration, named: context.name)
    let availableBases = context.availableBases
    let allFindings = RuleList.findings(
      in: transcript, by: RuleList.all.filter { availableBases.contains($0.basis) })
    let backup = transcript.entries.lazy.compactMap(\.event.backup).first
    self.context = context
    self.tree = tree
    self.backupSet = backup?.contents ?? BackupSet(decisions: [])
    self.tally = InspectionTally(of: self.backupSet, context.configuration.files)
    self.findings =
      allFindings.isEmpty ? [] : GroupedFindings(allFindings, in: transcript).mergedFindings
    self.explanation = backup.map {
      ItemExplanation(of: $0, on: context.configuration.profile.version)
    }
  }

  /// Returns the reason why an item is or is not in the backup. The text does not name the item's
  /// ``ItemState``.
  package func cause(of decision: BackupSet.Decision) -> String {
    explanation?.cause(of: decision) ?? ""
  }

  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  package var systemName: String { "iOS \(context.configuration.profile.version)" }

  /// The result in one line, such as `2.2 of 3.4 GB would be backed up; marks keep 1.1 GB out`.
  package var headline: String {
    let (total, markedBytes) = (tally.total, tally.total[.mark].byteCount)
    return "\(total[.included].byteCount.formattedSize) of \(total.bytes.formattedSize) would be "
      + "backed up" + (markedBytes > 0 ? "; marks keep \(markedBytes.formattedSize) out" : "")
  }

  /// The use of each limit. The limits on backups come before those on the app's storage.
  package var budgetUses: [BudgetUse] {
    let configuration = context.configuration
    return BudgetUse.all(of: configuration.budget, named: "budget", backupSet.forEachFile)
      + BudgetUse.all(of: configuration.storage, named: "storage") { count in
        tree.forEachItem { path, item in
          if let size = item.size { count(path, size) }
        }
      }
  }

  /// Notes for the reader: on the containers, on the comparison with an earlier inspection, and
  /// then on rules that were not checked.
  package var notes: [String] {
    let adviceByBasis: KeyValuePairs<RuleBasis, String> = [
      .classes: "use --files to name a scenario whose 'files' gives the classes of the app's files",
      .budget: "use --files to name a scenario that has a 'budget'",
      .storage: "use --files to name a scenario that has a 'storage'",
      .identifier: "use --files to name a scenario whose 'app' has the bundle identifier",
      .run: "only a run can check these rules, because they are about the app's steps",
    ]
    let availableBases = context.availableBases
    let uncheckedNotes = adviceByBasis.filter { !availableBases.contains($0.key) }.compactMap {
      basis, advice in
      let ruleNames = RuleList.all.filter { $0.basis == basis }.map(\.name)
      return ruleNames.isEmpty ? nil : "not checked: \(ruleNames.joinedInWords); \(advice)"
    }
    return context.notes + (changes?.notes ?? []) + uncheckedNotes
  }

  /// Inspects the containers of an app on disk.
  ///
  /// Each of `markLists` has the marks of one container. The inspection ignores lists that a build
  /// of the app left in a container.
  package init(
    of containers: [FoundContainer], _ context: Context,
    marks markLists: [(name: String, contents: ContainerList)] = []
  ) {
    var (context, tree, unusedLists) = (context, FileTree(), markLists)
    var listPathInContainer: ContainerPath?
    for container in containers {
      var items = container.tree
      for listPath in ContainerList.allPaths where items.remove(listPath) != nil {
        listPathInContainer =
          listPathInContainer ?? ContainerPath(listPath, inContainer: container.name)
      }
      let owner = container.name?.containerIdentifier ?? context.appIdentifier
      let isOnlyContainer = containers.count == 1
      for list in markLists where isOnlyContainer || list.contents.bundleIdentifier == owner {
        let markedTree = list.contents.marking(items)
        items = markedTree.tree
        context.addFacts(from: list.contents, markedTree, named: list.name, of: owner)
        unusedLists.removeAll { $0.name == list.name }
      }
      tree.insert(items, ofContainer: container.name)
    }
    context.notes += unusedLists.map {
      "not used: the list \($0.name), which is of '\($0.contents.bundleIdentifier.escapedExcerpt)'"
    }
    if markLists.isEmpty, !tree.hasMarks {
      let advice =
        listPathInContainer.map {
          "name the list of its items, the file '\($0)' in it, with --marks"
        }
        ?? "list the items on the device with ContainerProbe (see 'backup-testing probe-source "
        + "--help'), and name the list with --marks"
      context.notes.append(
        "no item has a mark, and a copy may have lost its extended attributes; \(advice)")
    }
    self.init(of: tree, context)
  }

  /// The containers, the app's own first, each with its identifier if that is known.
  package var containers: [(identifier: String?, sums: Sums)] {
    let hasAppContainer = tree.children.chunkedEntries.contains { !$0.name.isContainer }
    return tree.containerNames.filter { $0 != nil || hasAppContainer }.map {
      ($0?.containerIdentifier ?? context.appIdentifier, tally.sumsByContainer[$0] ?? Sums())
    }
  }

  /// The identifier of the only container, or the app's identifier if there are several containers.
  package var ownerIdentifier: String? {
    containers.count == 1 ? containers[0].identifier : context.appIdentifier
  }

  /// The number and size of files in each state.
  package struct Sums: Sendable {
    private var sums = [FileTotal](repeating: FileTotal(), count: ItemState.allCases.count)

    package init() {}

    package subscript(state: ItemState) -> FileTotal { sums[state.rawValue] }

    var nonemptyStates: [ItemState] { ItemState.allCases.filter { self[$0].fileCount > 0 } }

    var total: FileTotal { sums.reduce(into: FileTotal()) { $0.add($1) } }
    package var bytes: Int64 { total.byteCount }
    package var fileCount: Int { total.fileCount }

    mutating func add(_ size: Int64, _ state: ItemState) { sums[state.rawValue].addFile(size) }

    mutating func add(_ other: Sums) {
      for index in sums.indices { sums[index].add(other.sums[index]) }
    }
  }
}

extension Inspection.Context {
  fileprivate var availableBases: Set<RuleBasis> {
    var bases: Set<RuleBasis> = [.container]
    if appIdentifier != nil { bases.insert(.identifier) }
    if configuration.files != nil { bases.insert(.classes) }
    if configuration.budget != nil { bases.insert(.budget) }
    if configuration.storage != nil { bases.insert(.storage) }
    return bases
  }

  /// Adds the facts that a scenario states about the app and its files.
  package mutating func addScenario(_ scenario: Scenario) {
    configuration.app = scenario.app
    configuration.files = scenario.files
    configuration.budget = scenario.budget
    configuration.storage = scenario.storage
    appIdentifier = scenario.app.bundleIdentifier
  }

  /// Adds the facts of a container list, except its marks. Notes say how the list differs from the
  /// container.
  fileprivate mutating func addFacts(
    from list: ContainerList, _ markedTree: ContainerList.MarkedTree, named listName: String,
    of owner: String?
  ) {
    notes.append("\(markedTree.markedItemCount.counted("item")) marked by the list \(listName)")
    if let firstMissingPath = markedTree.missingPaths.first {
      let count = markedTree.missingPaths.count
      notes.append(
        "\(count.counted("item")) of the list \(count.wordForm("is", plural: "are")) missing here, "
          + "such as '\(firstMissingPath.escapedExcerpt)'")
    }
    if markedTree.unlistedItemCount > 0 {
      notes.append("\(markedTree.unlistedItemCount.counted("item")) here, but not in the list")
    }
    // A list from a later patch, such as 26.0.1, is not a difference: the rules of 26 apply to it.
    let system = configuration.profile.version
    if SystemVersion(list.system).flatMap(SystemProfile.newest)?.version != system {
      notes.append(
        "the list was written under iOS \(list.system.escapedExcerpt), not under \(system)")
    }
    if let owner, owner != list.bundleIdentifier {
      notes.append("the list is of '\(list.bundleIdentifier.escapedExcerpt)', not of \(owner)")
    } else if owner == nil,
      ContainerPath.Component.problem(withApp: list.bundleIdentifier) == nil
    {
      setIdentifier(app: list.bundleIdentifier)
    }
  }

  /// Adds the app's identifier.
  package mutating func setIdentifier(app: String) {
    if let scenarioIdentifier = appIdentifier, scenarioIdentifier != app {
      notes.append("the container is of \(app), but the scenario names \(scenarioIdentifier)")
    }
    appIdentifier = app
    configuration.app.bundleIdentifier = app
  }
}

/// Sums over the items of the containers. One pass over a backup's decisions computes the sums.
package struct InspectionTally: Sendable {
  /// A directory with the sums of all files below it.
  package struct Folder: Sendable {
    package let path: ContainerPath?
    package fileprivate(set) var sums = Inspection.Sums()
  }

  /// A directory has its own sums if its path has at most this number of components.
  package static let maximumFolderDepth = 3
  /// The number of files in ``largestFiles``.
  package static let maximumLargestFileCount = 500

  /// The sums of each container. The key nil is the app's own container.
  package private(set) var sumsByContainer: [ContainerPath.Component?: Inspection.Sums] = [:]
  /// The directories down to ``maximumFolderDepth`` components, in the order of a walk.
  package private(set) var folders: [Folder] = []
  /// The sums of each class. The key nil is for files without a class. Empty if no class is known.
  package private(set) var sumsByClass: [DataClass?: Inspection.Sums] = [:]
  package private(set) var largestFiles: [BackupSet.Decision] = []
  package private(set) var unreadableItems: [BackupSet.Decision] = []
  /// The indices in ``folders`` of the directories that contain the current item.
  private var openFolderIndices: [Int] = []

  init(of backupSet: BackupSet, _ promises: FilePromises?) {
    backupSet.decisions.forEachItem { directory, name, depth, kind, verdict in
      closeFolders(downTo: depth - 1)
      switch kind {
      case .file(let size):
        let state = ItemState(verdict)
        if let innermostIndex = openFolderIndices.last {
          folders[innermostIndex].sums.add(size, state)
        } else {
          sumsByContainer[nil, default: Inspection.Sums()].add(size, state)
        }
        let isLarge =
          largestFiles.count < Self.maximumLargestFileCount || largestFiles.last?.size ?? 0 < size
        guard isLarge || promises != nil else { return }
        let path = ContainerPath(name, in: directory)
        if isLarge {
          largestFiles.keep(
            BackupSet.Decision(path: path, kind: kind, verdict: verdict),
            amongLargest: Self.maximumLargestFileCount, by: { $0.size ?? 0 })
        }
        if let promises {
          sumsByClass[promises.dataClass(of: path), default: Inspection.Sums()].add(size, state)
        }
      case .directory where depth <= Self.maximumFolderDepth:
        openFolderIndices.append(folders.count)
        folders.append(Folder(path: ContainerPath(name, in: directory)))
      case .other:
        guard case .leftOut(.unreadable) = verdict else { return }
        let path = ContainerPath(name, in: directory)
        unreadableItems.append(BackupSet.Decision(path: path, kind: kind, verdict: verdict))
      default: break
      }
    }
    closeFolders(downTo: 0)
  }

  /// Closes the innermost directories until only `depth` are open. Adds the sums of each closed
  /// directory to the open directory around it. If none is open, adds the sums to the container.
  private mutating func closeFolders(downTo depth: Int) {
    while openFolderIndices.count > depth, let closedIndex = openFolderIndices.popLast() {
      let folder = folders[closedIndex]
      if let parentIndex = openFolderIndices.last {
        folders[parentIndex].sums.add(folder.sums)
      } else {
        sumsByContainer[folder.path?.containerName, default: Inspection.Sums()].add(folder.sums)
      }
    }
  }

  package var total: Inspection.Sums {
    sumsByContainer.values.reduce(into: Inspection.Sums()) { $0.add($1) }
  }

  package var foldersBySize: [Folder] {
    folders.filter { $0.sums.fileCount > 0 }.enumerated()
      .sorted { ($1.element.sums.bytes, $0.offset) < ($0.element.sums.bytes, $1.offset) }
      .map(\.element)
  }

  /// The sums of each class, in the order of the classes. Files without a class come last.
  package var classSums: [(name: String, sums: Inspection.Sums)] {
    (DataClass.allCases.map(Optional.some) + [nil]).compactMap { dataClass in
      sumsByClass[dataClass].map { (dataClass?.rawValue ?? "undeclared", $0) }
    }
  }

  /// The sums of the files that App Review may ask about.
  package var appReviewSums: [(words: String, sum: FileTotal)] {
    guard !sumsByClass.isEmpty else { return [] }
    let recreatableClasses: [DataClass?] = [.support, .offline, .cached, .temporary]
    let excludedStates = ItemState.allCases.filter { $0 != .included }
    return [
      (
        "can be downloaded or created again, but backed up",
        sum(of: recreatableClasses, [.included])
      ),
      ("the user's own, but not backed up", sum(of: [.critical], excludedStates)),
      ("secret, but backed up", sum(of: [.secret], [.included])),
      ("without a class, but backed up", sum(of: [nil], [.included])),
    ]
  }

  private func sum(of classes: [DataClass?], _ states: [ItemState]) -> FileTotal {
    classes.compactMap { self.sumsByClass[$0] }.reduce(into: FileTotal()) { sum, sums in
      for state in states { sum.add(sums[state]) }
    }
  }
}

import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// A run as rules look at it: the moments at which the system acts, and what the app owed then.
package struct RunHistory {
  /// A moment at which the system acts, or the end.
  struct Moment {
    /// What the system does; nil at the end.
    let event: Transcript.Event?
    /// The step at which it does.
    let step: Scenario.StepReference
    /// The container that it finds.
    let tree: FileTree
    /// The system; for an update of it the one before, under which the app ran.
    let profile: SystemProfile
    /// What the app owes each item.
    let ledger: ItemLedger

    /// The backup that is taken; nil for anything else.
    var backup: Transcript.Event.Backup? { event?.backup }
  }

  /// The run that is followed.
  let transcript: Transcript
  /// The moments, the end last; a run that broke off has no end.
  let moments: [Moment]
  /// The class of every file and link there ever was.
  private let classes: [ContainerPath: DataClass]

  /// Follows what an app owes through a run, from its first step to its last.
  package init(_ transcript: Transcript) {
    var ledger = ItemLedger()
    var tree = transcript.firstTree
    var moments: [Moment] = []
    var profile = SystemProfile.all.first { $0.version == transcript.variant.system }
    for entry in transcript.entries {
      if case .changes(let changes) = entry.event {
        for change in changes {
          ledger.follow(change, at: entry.step, before: tree, tree: entry.tree)
        }
      } else if entry.event.isBySystem {
        moments.append(
          Moment(
            event: entry.event, step: entry.step, tree: tree,
            profile: entry.event.isSystemUpdate ? profile ?? entry.profile : entry.profile,
            ledger: ledger))
      }
      profile = entry.profile
      tree = entry.tree
    }
    if let last = transcript.entries.last, transcript.failure == nil {
      moments.append(
        Moment(event: nil, step: last.step, tree: tree, profile: last.profile, ledger: ledger))
    }
    self.transcript = transcript
    self.moments = moments
    self.classes = Self.classes(in: moments, transcript.scenario.files)
  }

  /// The scenario that ran.
  var scenario: Scenario { transcript.scenario }

  /// The labels of the backups that hold an item, from a moment on, quoted.
  func backups(holding path: ContainerPath, from moment: Int = 0) -> [String] {
    moments[moment...].compactMap(\.backup).filter { $0.set.contains(path) }
      .map { "\"\(EscapedText.escape($0.label))\"" }
  }

  /// The class that the app promised of a file or link, if any.
  func dataClass(of path: ContainerPath) -> DataClass? { classes[path] }

  /// The files and links at a moment, each with the class the app promised, if any.
  ///
  /// - Returns: Nothing for a scenario without `files`.
  func promisedFiles(at moment: Moment) -> [PromisedFile] {
    guard scenario.files != nil else { return [] }
    var files: [PromisedFile] = []
    moment.tree.walk { path, item in
      if !item.isDirectory { files.append(PromisedFile(path: path, dataClass: classes[path])) }
      return true
    }
    return files
  }

  /// A file or link and what the app promised of it.
  struct PromisedFile {
    /// Where it is in the container.
    let path: ContainerPath
    /// Its class; nil where no pattern names it.
    let dataClass: DataClass?
  }

  /// The class of every file and link there ever was.
  private static func classes(
    in moments: [Moment], _ files: FilePromises?
  ) -> [ContainerPath: DataClass] {
    guard let files else { return [:] }
    var seen: Set<ContainerPath> = []
    var classes: [ContainerPath: DataClass] = [:]
    for moment in moments {
      moment.tree.walk { path, item in
        if !item.isDirectory, seen.insert(path).inserted {
          classes[path] = files.dataClass(of: path)
        }
        return true
      }
    }
    return classes
  }
}

extension Transcript.Event {
  /// Whether the device goes to a later system.
  fileprivate var isSystemUpdate: Bool {
    if case .systemUpdate = self { true } else { false }
  }
}

extension [String] {
  /// Labels of backups in a sentence: `the backup "a"`, `the backups "a" and "b"`.
  var asBackups: String { "the \(count.form("backup")) \(joinedInWords)" }
}

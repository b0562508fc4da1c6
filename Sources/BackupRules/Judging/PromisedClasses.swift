import BackupCollections
import BackupFileTree
import BackupScenarios

/// A file or link and what the app promised of it.
struct PromisedFile: Sendable {
  /// Where it is in the container.
  let path: ContainerPath
  /// Its class; nil where no pattern names it.
  let dataClass: DataClass?
}

/// What an app promised of the files it meets in a run, each asked for once.
struct PromisedClasses: Sendable {
  /// What it promised; nil for nothing.
  private let promises: FilePromises?
  /// The classes of the files so far.
  private var known: [ContainerPath: DataClass?] = [:]
  /// The files so far that are critical.
  private(set) var criticalPaths: Set<ContainerPath> = []
  /// The container whose files were asked for last.
  private var latestTree = FileTree()
  /// Those files.
  private var latestFiles: [PromisedFile] = []

  /// Takes what an app promised.
  init(_ promises: FilePromises?) {
    self.promises = promises
  }

  /// The files and links in a container; those of the same one as before are not looked for again.
  mutating func files(in tree: FileTree) -> [PromisedFile] {
    guard let promises, tree != latestTree else { return latestFiles }
    var files: [PromisedFile] = []
    tree.walk { path, item in
      guard !item.isDirectory else { return true }
      let dataClass = known[path] ?? learnClass(of: path, promises)
      files.append(PromisedFile(path: path, dataClass: dataClass))
      return true
    }
    (latestTree, latestFiles) = (tree, files)
    return files
  }

  /// The class of a file or link that nobody has asked for before.
  private mutating func learnClass(
    of path: ContainerPath, _ promises: FilePromises
  ) -> DataClass? {
    let dataClass = promises.dataClass(of: path)
    known[path] = .some(dataClass)
    if dataClass == .critical { criticalPaths.insert(path) }
    return dataClass
  }

  /// The class that the app promised of a file or link that there was so far, if any.
  func knownClass(of path: ContainerPath) -> DataClass? { known[path] ?? nil }

  /// The class that the app promised of a path, be anything there or not; nil for none.
  func promisedClass(of path: ContainerPath) -> DataClass? {
    known[path] ?? promises?.dataClass(of: path)
  }
}

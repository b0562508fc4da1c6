import BackupContainer
import BackupFileTree
import BackupScenarios

/// A file or link and its class; nil if no pattern names it.
struct PromisedFile: Sendable {
  let path: ContainerPath
  let dataClass: DataClass?
}

/// What an app promised of the files it meets in a run, each asked for once.
struct PromisedClasses: Sendable {
  /// What it promised; nil for nothing.
  private let promises: FilePromises?
  /// The classes asked for so far, also by copies: a path has one, whatever happens.
  private let known = Locked<[ContainerPath: DataClass?]>([:])
  /// The files so far that are critical.
  private(set) var criticalPaths: Set<ContainerPath> = []
  /// The container whose files were asked for last.
  private var latestTree = FileTree()
  private var latestFiles: [PromisedFile] = []

  init(_ promises: FilePromises?) {
    self.promises = promises
  }

  /// The files and links in a container; those of the same one as before are not looked for again. If no
  /// pattern names what a library keeps beside a database, it has the database's class.
  mutating func files(in tree: FileTree) -> [PromisedFile] {
    guard promises != nil, tree != latestTree else { return latestFiles }
    var files: [PromisedFile] = []
    func add(_ path: ContainerPath, _ dataClass: DataClass?) {
      files.append(PromisedFile(path: path, dataClass: dataClass))
      if dataClass == .critical { criticalPaths.insert(path) }
    }
    tree.walk { path, item in
      if let library = DatabaseLibrary(keeping: path.name) {
        // What Realm keeps beside a database holds nothing, and Realm marks it. A restore may bring it back
        // without the database.
        guard library != .realm else { return false }
        let ofDatabase = library.databases(of: path).compactMap(promisedClass).first
        item.forEachItem(at: path) { path, item in
          if !item.isDirectory { add(path, promisedClass(of: path) ?? ofDatabase) }
        }
        return false
      }
      if !item.isDirectory { add(path, promisedClass(of: path)) }
      return true
    }
    (latestTree, latestFiles) = (tree, files)
    return files
  }

  /// The class that the app promised of a path, be anything there or not; nil for none.
  func promisedClass(of path: ContainerPath) -> DataClass? {
    guard let promises else { return nil }
    return known.withLock { known in
      if let dataClass = known[path] { return dataClass }
      let dataClass = promises.dataClass(of: path)
      known[path] = .some(dataClass)
      return dataClass
    }
  }
}

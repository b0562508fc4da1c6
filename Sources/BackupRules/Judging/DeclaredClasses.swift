import BackupContainer
import BackupFileTree
import BackupScenarios

/// A file or link with its class. The class is nil if no pattern matches the path.
struct PromisedFile: Sendable {
  let path: ContainerPath
  let dataClass: DataClass?
}

/// The classes that a scenario gives the app's files.
struct DeclaredClasses: Sendable {
  private let promises: FilePromises?
  /// The classes of paths that were looked up. Copies share the cache, because the class of a path
  /// never changes.
  private let cache = Locked<[ContainerPath: DataClass?]>([:])
  /// The critical files seen so far.
  private(set) var criticalPaths: Set<ContainerPath> = []
  /// The container that has the files in `latestFiles`.
  private var latestTree = FileTree()
  private var latestFiles: [PromisedFile] = []

  init(_ promises: FilePromises?) {
    self.promises = promises
  }

  /// Returns the files and links in a container with their classes. A file such as `a.sqlite-wal`
  /// has the class of the database `a.sqlite`, if no pattern matches the file.
  mutating func files(in tree: FileTree) -> [PromisedFile] {
    guard promises != nil, tree != latestTree else { return latestFiles }
    var files: [PromisedFile] = []
    func add(_ path: ContainerPath, _ dataClass: DataClass?) {
      files.append(PromisedFile(path: path, dataClass: dataClass))
      if dataClass == .critical { criticalPaths.insert(path) }
    }
    tree.walk { path, item in
      if let library = DatabaseLibrary(keeping: path.name) {
        // Skips Realm's items beside a database, even if a restore brings them back without the
        // database. They contain no data, and Realm marks them itself.
        guard library != .realm else { return false }
        let classOfDatabase = library.databases(of: path).compactMap(promisedClass).first
        item.forEachItem(at: path) { path, item in
          if !item.isDirectory { add(path, promisedClass(of: path) ?? classOfDatabase) }
        }
        return false
      }
      if !item.isDirectory { add(path, promisedClass(of: path)) }
      return true
    }
    (latestTree, latestFiles) = (tree, files)
    return files
  }

  /// Returns the class that the scenario gives a path, even if no item exists there; nil for none.
  func promisedClass(of path: ContainerPath) -> DataClass? {
    guard let promises else { return nil }
    return cache.withLock { classes in
      if let dataClass = classes[path] { return dataClass }
      let dataClass = promises.dataClass(of: path)
      classes[path] = .some(dataClass)
      return dataClass
    }
  }
}

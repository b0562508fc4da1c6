import BackupContainer
import BackupFileTree
import BackupScenarios

/// A file or link and its class; nil if no pattern names it.
struct PromisedFile: Sendable {
  let path: ContainerPath
  let dataClass: DataClass?
}

/// The classes that an app promised for its files.
struct PromisedClasses: Sendable {
  private let promises: FilePromises?
  /// The classes looked up so far. Copies share them, because the class of a path never changes.
  private let cache = Locked<[ContainerPath: DataClass?]>([:])
  /// The critical files seen so far.
  private(set) var criticalPaths: Set<ContainerPath> = []
  /// The container of `latestFiles`.
  private var latestTree = FileTree()
  private var latestFiles: [PromisedFile] = []

  init(_ promises: FilePromises?) {
    self.promises = promises
  }

  /// Returns the files and links in a container. If no pattern names an item that a library keeps beside a
  /// database, the item has the database's class.
  mutating func files(in tree: FileTree) -> [PromisedFile] {
    guard promises != nil, tree != latestTree else { return latestFiles }
    var files: [PromisedFile] = []
    func add(_ path: ContainerPath, _ dataClass: DataClass?) {
      files.append(PromisedFile(path: path, dataClass: dataClass))
      if dataClass == .critical { criticalPaths.insert(path) }
    }
    tree.walk { path, item in
      if let library = DatabaseLibrary(keeping: path.name) {
        // Realm keeps no data beside a database, and marks what it keeps there. A restore may bring it back
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

  /// Returns the class that the app promised for a path, even if there is no item; nil for none.
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

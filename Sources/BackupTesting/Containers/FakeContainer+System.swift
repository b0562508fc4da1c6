public import BackupContainer
public import BackupDevice
public import BackupDiagnostics
import BackupFileTree
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// The current version of iOS on the container's device.
  ///
  /// It is nil if the test created the container itself and has not used it yet.
  ///
  /// ```swift
  /// try container.updateSystem(to: "26")
  /// #expect(container.system == SystemVersion("26"))
  /// ```
  public var system: SystemVersion? { systemVersion.withLock { $0 }.flatMap(SystemVersion.init) }

  /// Takes a backup of the container.
  ///
  /// ```swift
  /// let backup = try container.backUp("old phone")
  /// #expect(backup.contains("Documents/list.json"))
  /// ```
  ///
  /// - Parameters:
  ///   - label: The name of the backup in findings. If a backup has this name already, the kit
  ///     appends a number.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Returns: The backup, with the reason for each excluded item.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read, or
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  @discardableResult
  public func backUp(
    _ label: String = "backup", sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) -> Backup {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    guard var backup = try session.perform(.backup(label), at: site)?.backup else {
      throw RunError(.containerUnavailable, "no backup was taken")
    }
    backup.session = session.id
    return backup
  }

  /// Ends the app without warning, as iOS does when memory is short.
  ///
  /// The app's files stay as they are. The kit cannot free the app's objects in the test's memory,
  /// so create new ones after this call.
  ///
  /// ```swift
  /// let store = MovieStore(root: container.url)
  /// try await container.perform("download") { try store.save(Data(count: 700), id: 1) }
  /// try container.killApp()
  /// let newStore = MovieStore(root: container.url)
  /// ```
  ///
  /// - Parameter sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read, or
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func killApp(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.kill, at: site)
  }

  /// Ends the app, and deletes the caches and temporary files that iOS deletes when storage is low.
  ///
  /// ```swift
  /// let deletedItems = try container.purge(.criticalStorage)
  /// #expect(deletedItems.allSatisfy { $0.bytes < 1_000_000 })
  /// ```
  ///
  /// - Parameters:
  ///   - pressure: The shortage of storage, which decides what iOS deletes. With `.files`, iOS
  ///     deletes the files that match the patterns, which are relative to the container.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Returns: The deleted items with their sizes in bytes, sorted by the bytes of their paths.
  ///   Items in a deleted directory are not listed.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.invalidPath` for a pattern outside `Library/Caches` and `tmp`.
  ///   - `.containerUnavailable` if the container cannot be read or written.
  ///   - `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  @discardableResult
  public func purge(
    _ pressure: PurgeSimulator.Pressure = .lowStorage,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) -> [FileTree.LostItem] {
    let site = CallSite(sourceLocation)
    if case .files(let patterns) = pressure {
      for pattern in patterns where !pattern.isPurgeable {
        throw RunError(
          .invalidPath,
          "'\(pattern)': the system purges only Library/Caches and tmp, and only Library/Caches "
            + "in a group's container; begin the pattern with one of them")
      }
    }
    return try session(at: site).perform(.purge(pressure), at: site)?.losses?.items ?? []
  }

  /// Ends the app, and updates it.
  ///
  /// The container gets a new path. It keeps `Documents` and `Library`, except for the items in
  /// `losing`. Of all other items, it keeps only those in `keeping`.
  ///
  /// ```swift
  /// let oldURL = container.documents.appending(path: "list.json")
  /// try container.updateApp(to: "2.0")
  /// #expect(container.documents.appending(path: "list.json") != oldURL)
  /// ```
  ///
  /// - Parameters:
  ///   - version: The new version.
  ///   - keeping: The paths of items that this update also keeps, such as `tmp`, relative to the
  ///     container. On a device, iOS may keep them or not.
  ///   - losing: Patterns of items that this update does not keep, such as `Library/Caches/**`,
  ///     relative to the container. A pattern may match only items that iOS need not keep: those in
  ///     `Library/Caches`, in `tmp`, and beside `Documents` and `Library`.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.invalidPath` if a path or pattern is invalid, or if a pattern matches an item that an
  ///     update always keeps.
  ///   - `.notInstalled` after ``offloadApp(sourceLocation:)``.
  ///   - `.containerUnavailable` if the container cannot be read or written.
  ///   - `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func updateApp(
    to version: String = "2.0", keeping: [String] = [], losing: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    var keptPaths: [ContainerPath] = []
    for path in keeping { keptPaths.append(try ContainerPath(checking: path)) }
    var lostPatterns: [PathPattern] = []
    for pattern in losing { lostPatterns.append(try PathPattern(losable: pattern)) }
    try session(at: site).perform(
      .updateApp(to: version, keeping: keptPaths, losing: lostPatterns), at: site)
  }

  /// Ends the app, and updates the device to a later version of iOS. The files stay as they are.
  ///
  /// ```swift
  /// try container.updateSystem(to: "26")
  /// ```
  ///
  /// - Parameters:
  ///   - version: The later version of iOS, such as `"26"`.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.unknownSystem` if the kit does not know the version.
  ///   - `.systemNotLater` if the device has this version or a later one.
  ///   - `.containerUnavailable` if the container cannot be read.
  ///   - `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func updateSystem(
    to version: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    let system = try NamedSystem(checking: version)
    try session(at: site).perform(.updateSystem(to: system), at: site)
  }

  /// Puts a file into the container without code of the app.
  ///
  /// For example, another app shares the file, the user creates it in the Files app, or a download
  /// in the background ends. Until the app next has control, for example at its next launch, rules
  /// do not report the file.
  ///
  /// ```swift
  /// try container.place("Documents/Inbox/letter.pdf", .zeros(200_000))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the container. Missing directories above it are
  ///     created, and an existing file is replaced.
  ///   - contents: The contents of the file, such as `.zeros(200_000)`; sizes are in bytes.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.invalidPath` if the path is invalid, or if no file can be at this path.
  ///   - `.notInstalled` after ``offloadApp(sourceLocation:)``.
  ///   - `.containerUnavailable` if the container cannot be read.
  ///   - `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func place(
    _ path: String, _ contents: FileOperation.Contents,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let path = try ContainerPath(checking: path)
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.place(contents, at: path), at: site)
  }

  /// Ends the app, and offloads it: iOS removes the app, but keeps `Documents` and `Library`,
  /// except for `Library/Caches`.
  ///
  /// Call ``reinstallApp(sourceLocation:)`` before code of the app runs in a `perform` again.
  ///
  /// ```swift
  /// try container.offloadApp()
  /// try container.reinstallApp()
  /// ```
  ///
  /// - Parameter sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with the code `.notInstalled` if the app is offloaded already,
  ///   `.containerUnavailable` if the container cannot be read or written, or `.performing` within
  ///   a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func offloadApp(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.offload, at: site)
  }

  /// Installs the app again. The container gets a new path.
  ///
  /// After ``offloadApp(sourceLocation:)``, the app has its data again. Otherwise, the method first
  /// deletes the app with all its data.
  ///
  /// ```swift
  /// try container.reinstallApp()
  /// #expect(try container.backUp().files.isEmpty)
  /// ```
  ///
  /// - Parameter sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read or
  ///   written, or `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func reinstallApp(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.reinstall, at: site)
  }

  /// Restores a backup of this container, by default to a new device. The container gets a new
  /// path.
  ///
  /// ```swift
  /// let backup = try container.backUp()
  /// try container.restore(from: backup)
  /// try MovieStore(root: container.url).save(Data(count: 700), id: 1)
  /// ```
  ///
  /// - Parameters:
  ///   - backup: A backup of this container. If the test has called ``beginSession(_:sourceLocation:)``,
  ///     the backup must be newer than the latest call.
  ///   - destination: The device to which the backup is restored. With `.transfer`, the new device
  ///     gets the items that a backup to a computer would contain.
  ///   - sourceLocation: The position of the call. Do not pass this argument.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.foreignBackup` for a backup of another container or from an earlier session.
  ///   - `.containerUnavailable` if the container cannot be written.
  ///   - `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func restore(
    from backup: Backup, to destination: RestoreSimulator.Destination = .newDevice,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    guard backup.session == session.id else {
      throw RunError(
        .foreignBackup,
        "the backup \"\(EscapedText.escape(backup.label))\" is of another container; restore a "
          + "backup of this container")
    }
    try session.perform(.restore(backup.label, to: destination), at: site)
  }
}

extension ContainerPath {
  /// Parses a path that a test passes. The message of an error begins with `the path`.
  init(checking path: String) throws(RunError) {
    self = try RunError.addingSubject("the path") { () throws(RunError) in try ContainerPath(path) }
  }
}

extension PathPattern {
  /// Parses a pattern of items that an update of the app does not keep. Throws if the pattern
  /// matches items that an update always keeps, such as `Documents/**`.
  fileprivate init(losable pattern: String) throws(RunError) {
    self = try RunError.addingSubject("the pattern") { () throws(RunError) in
      try PathPattern(pattern)
    }
    guard canBeLostInUpdate else {
      throw RunError(
        .invalidPath,
        "'\(self)': an update always keeps Documents and Library, except Library/Caches; begin "
          + "the pattern with Library/Caches, or with a name beside Documents and Library")
    }
  }
}

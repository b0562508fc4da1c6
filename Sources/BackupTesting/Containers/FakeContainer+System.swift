public import BackupContainer
public import BackupDevice
public import BackupDiagnostics
import BackupFileTree
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// The version of iOS that the container's device has now.
  ///
  /// It is nil if no version was chosen: in a container that the test created itself and has not used
  /// yet.
  ///
  /// ```swift
  /// try container.updateSystem(to: "26")
  /// #expect(container.system == SystemVersion("26"))
  /// ```
  public var system: SystemVersion? { systemName.withLock { $0 }.flatMap(SystemVersion.init) }

  /// Takes a backup of the container as it is now.
  ///
  /// ```swift
  /// let backup = try container.backUp("old phone")
  /// #expect(backup.contains("Documents/list.json"))
  /// ```
  ///
  /// - Parameters:
  ///   - label: The name of the backup in findings. A second backup of the same name gets a number.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: The contents of the backup, with a reason for every item.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read,
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

  /// Ends the app without warning, as the system does when memory is short.
  ///
  /// Its files stay as they are. The container cannot free what the app has in memory, so create
  /// the app's objects again after this call.
  ///
  /// ```swift
  /// let store = MovieStore(root: container.url)
  /// try await container.perform("download") { try store.save(Data(count: 700), id: 1) }
  /// try container.killApp()
  /// let newStore = MovieStore(root: container.url)
  /// ```
  ///
  /// - Parameter sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read,
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func killApp(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.kill, at: site)
  }

  /// Ends the app and deletes what the system deletes when storage is low.
  ///
  /// ```swift
  /// let taken = try container.purge(.criticalStorage)
  /// #expect(taken.allSatisfy { $0.bytes < 1_000_000 })
  /// ```
  ///
  /// - Parameters:
  ///   - pressure: The urgency with which storage is needed. Patterns of `.files` are relative to
  ///     the container.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: The topmost items that were deleted, in byte order of their paths, with sizes in
  ///   bytes.
  /// - Throws: `RunError` with the code `.invalidPath` for a pattern outside `Library/Caches` and
  ///   `tmp`, `.containerUnavailable` if the container cannot be read or written, `.performing`
  ///   within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
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

  /// Ends the app and updates it: Documents and Library are carried over to a new container path.
  ///
  /// ```swift
  /// let stored = container.documents.appending(path: "list.json")
  /// try container.updateApp(to: "2.0")
  /// #expect(container.documents.appending(path: "list.json") != stored)
  /// ```
  ///
  /// - Parameters:
  ///   - version: The new version.
  ///   - keeping: Paths, relative to the container, that this update happens to carry over too,
  ///     such as `tmp`.
  ///   - losing: Patterns, relative to the container, of items that this update does not carry
  ///     over, such as `Library/Caches/**`. They may name only what an update need not keep: in
  ///     `Library/Caches`, in `tmp` and beside `Documents` and `Library`.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.invalidPath` if one of the paths or patterns is invalid,
  ///   or a pattern matches what an update must keep, `.notInstalled` after
  ///   ``offloadApp(sourceLocation:)``, `.containerUnavailable` if the container cannot be read or
  ///   written, `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func updateApp(
    to version: String = "2.0", keeping: [String] = [], losing: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    var kept: [ContainerPath] = []
    for path in keeping { kept.append(try ContainerPath(checking: path)) }
    var lost: [PathPattern] = []
    for pattern in losing { lost.append(try PathPattern(losable: pattern)) }
    try session(at: site).perform(
      .updateApp(to: version, keeping: kept, losing: lost), at: site)
  }

  /// Ends the app and updates the device to a later version of iOS. Files stay as they are.
  ///
  /// ```swift
  /// try container.updateSystem(to: "26")
  /// ```
  ///
  /// - Parameters:
  ///   - version: The later version of iOS, such as `"26"`.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.unknownSystem` for a version that the kit does not know,
  ///   `.systemNotLater` for the one that the device has or an earlier one, `.containerUnavailable`
  ///   if the container cannot be read, `.performing` within a
  ///   ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func updateSystem(
    to version: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    let system = try NamedSystem(checking: version)
    try session(at: site).perform(.updateSystem(to: system), at: site)
  }

  /// Puts a file into the container as the system does.
  ///
  /// Examples are a file that another app hands over, one that the user creates in Files, and a
  /// download in the background. The app is not to blame for the state of the file until it writes
  /// the file.
  ///
  /// ```swift
  /// try container.place("Documents/Inbox/letter.pdf", .zeros(200_000))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The file, relative to the container. Missing directories above it are created, and
  ///     an existing file is replaced.
  ///   - contents: The contents of the file; sizes in bytes.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.invalidPath` if the path is invalid or no file can be
  ///   there, `.notInstalled` after ``offloadApp(sourceLocation:)``, `.containerUnavailable` if the
  ///   container cannot be read, `.performing` within a
  ///   ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func place(
    _ path: String, _ contents: FileOperation.Contents,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let path = try ContainerPath(checking: path)
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.place(contents, at: path), at: site)
  }

  /// Ends the app and offloads it: Documents and Library stay, except Library/Caches.
  ///
  /// Until ``reinstallApp(sourceLocation:)``, no code of the app can run in a `perform`.
  ///
  /// ```swift
  /// try container.offloadApp()
  /// try container.reinstallApp()
  /// ```
  ///
  /// - Parameter sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.notInstalled` if it is offloaded already,
  ///   `.containerUnavailable` if the container cannot be read or written, `.performing` within a
  ///   ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func offloadApp(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.offload, at: site)
  }

  /// Installs the app again, at a new container path.
  ///
  /// After ``offloadApp(sourceLocation:)``, the app has its data again. Otherwise it counts as an
  /// app that was deleted, and has no data.
  ///
  /// ```swift
  /// try container.reinstallApp()
  /// #expect(try container.backUp().files.isEmpty)
  /// ```
  ///
  /// - Parameter sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.containerUnavailable` if the container cannot be read or
  ///   written, `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
  public func reinstallApp(sourceLocation: SourceLocation = #_sourceLocation) throws(RunError) {
    let site = CallSite(sourceLocation)
    try session(at: site).perform(.reinstall, at: site)
  }

  /// Restores a backup of this container, by default to a new device. The container then has a new
  /// path.
  ///
  /// ```swift
  /// let backup = try container.backUp()
  /// try container.restore(from: backup)
  /// try MovieStore(root: container.url).save(Data(count: 700), id: 1)
  /// ```
  ///
  /// - Parameters:
  ///   - backup: A backup of this container, taken in its present session.
  ///   - destination: The device that the backup is restored to. With `.transfer`, the rules of a
  ///     backup to a computer decide which items come along.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` with the code `.foreignBackup` for a backup of another container or of an
  ///   earlier session, `.containerUnavailable` if the container cannot be written,
  ///   `.performing` within a ``perform(_:probesMarks:isolation:sourceLocation:_:)``.
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
  init(checking path: String) throws(RunError) {
    self = try RunError.naming("the path") { () throws(RunError) in try ContainerPath(path) }
  }
}

extension PathPattern {
  /// Parses the pattern of items that an update of the app does not carry over, and rejects a
  /// pattern of items that an update must keep.
  fileprivate init(losable pattern: String) throws(RunError) {
    self = try RunError.naming("the pattern") { () throws(RunError) in try PathPattern(pattern) }
    guard canBeLostInUpdate else {
      throw RunError(
        .invalidPath,
        "'\(self)': an update always keeps Documents and Library, except Library/Caches; begin "
          + "the pattern with Library/Caches, or with a name beside Documents and Library")
    }
  }
}

public import BackupContainer
public import BackupDevice
import BackupDiagnostics
import BackupFileTree
public import BackupScenarios
public import Testing

extension FakeContainer {
  /// Takes a backup of the container as it is now.
  ///
  /// - Parameters:
  ///   - label: Its name in findings.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: What the backup holds, with a reason for every item.
  /// - Throws: `RunError` where the container cannot be read.
  @discardableResult
  public func backUp(
    _ label: String = "backup", sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) -> ContainerBackup {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    let taken = try session.act("back up", at: site) { acts throws(RunError) in
      try acts.backUp(label)
    }
    return ContainerBackup(taken, of: session.id)
  }

  /// Ends the app and takes what the system takes when storage is low.
  ///
  /// - Parameters:
  ///   - pressure: How badly storage is needed.
  ///   - sourceLocation: The call; leave it out.
  /// - Returns: The topmost items that went.
  /// - Throws: `RunError` where the container cannot be read or written.
  @discardableResult
  public func purge(
    _ pressure: StoragePressure = .lowStorage, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) -> [FileTree.LostItem] {
    let site = CallSite(sourceLocation)
    if case .files(let patterns) = pressure {
      for pattern in patterns where !pattern.isPurgeable {
        throw RunError(
          .invalidPath, "'\(pattern)': the system purges nothing but Library/Caches and tmp")
      }
    }
    return try session(at: site).act("purge", at: site) { acts throws(RunError) in
      try acts.purge(pressure)
    }
  }

  /// Ends the app and updates it: Documents and Library are carried over to a new container path.
  ///
  /// - Parameters:
  ///   - version: The new version.
  ///   - keeping: Paths that this update happens to carry over too, such as `tmp`.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` where the container cannot be read or written, or a
  ///   path is none.
  public func updateApp(
    to version: String = "2.0", keeping: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    var kept: [ContainerPath] = []
    for path in keeping { kept.append(try ContainerPath(checking: path)) }
    try session(at: site).act("update the app", at: site) { acts throws(RunError) in
      try acts.updateApp(to: version, keeping: kept)
    }
  }

  /// Ends the app and brings the device to a later system; files stay.
  ///
  /// - Parameters:
  ///   - version: The later version of iOS, such as `"26"`.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` where it is not known, or not later.
  public func updateSystem(
    to version: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    guard let profile = SystemProfile(version: version) else {
      throw RunError(.unknownSystem, SystemProfile.objection(to: version))
    }
    try session(at: site).act("update the system", at: site) { acts throws(RunError) in
      try acts.updateSystem(to: profile)
    }
  }

  /// Goes on with what a backup of this container holds, on a new device: at a new container path.
  ///
  /// - Parameters:
  ///   - backup: A backup of this container.
  ///   - sourceLocation: The call; leave it out.
  /// - Throws: `RunError` where the container cannot be written, or the backup is
  ///   another container's.
  public func restore(
    from backup: ContainerBackup, sourceLocation: SourceLocation = #_sourceLocation
  ) throws(RunError) {
    let site = CallSite(sourceLocation)
    let session = try session(at: site)
    guard backup.session == session.id else {
      throw RunError(
        .foreignBackup,
        "the backup \"\(EscapedText.escape(backup.label))\" is of another container, so this one "
          + "cannot be restored from it")
    }
    try session.act("restore", at: site) { acts throws(RunError) in
      try acts.restore(backup.label)
    }
  }
}

extension ContainerPath {
  /// A path that a test names.
  init(checking path: String) throws(RunError) {
    do throws(ContainerPathError) {
      try self.init(path)
    } catch {
      throw RunError(.invalidPath, "the path \(error)", from: error)
    }
  }
}

import BackupFileTree

extension Field where Value == Bool {
  /// The key for an app that checks whether an item exists before it uses the item.
  static let skipsIfMissing = Field(
    "ifMissing", .word([("skip", true)]), default: .inWords("the app does not check"),
    "With this key, the app checks whether the item exists. skip: if the item is missing, the app "
      + "continues.")
}

extension Field where Value == Bool {
  /// The key for an app that creates an item only if none exists at the path.
  static let skipsIfExists = Field(
    "ifExists", .word([("skip", true)]), default: .inWords("the app does not check"),
    "With this key, the app checks whether an item exists at the new path. skip: if an item exists, the "
      + "app continues without this step.")
}

extension ObjectReader {
  /// The checks and the protection of a step that changes an item; nil if a value is a mistake.
  var changeOptions: AppStep.ChangeOptions? {
    guard !isInvalid(Field.skipsIfMissing), !isInvalid(Field.skipsIfExists),
      !isInvalid(Field.protection)
    else { return nil }
    var changeOptions = AppStep.ChangeOptions(protection: self[Field.protection])
    if self[Field.skipsIfMissing] == true { changeOptions.checks.insert(.itemExists) }
    if self[Field.skipsIfExists] == true { changeOptions.checks.insert(.targetIsFree) }
    return changeOptions
  }
}

extension ScenarioRun {
  /// Changes an item for the app, after the checks that the step names.
  ///
  /// If a step without a check uses an item that iOS has deleted, a rule reports the step. If the
  /// item never existed, the scenario has a mistake, and the step fails.
  mutating func change(
    _ operation: FileOperation, _ changeOptions: AppStep.ChangeOptions
  ) throws(StepFailure) {
    let checks = changeOptions.checks
    if checks.contains(.targetIsFree), try currentTree()[operation.path] != nil { return }
    guard let use = operation.use else {
      if case .write(let path, _, method: .inPlace) = operation, try isLocked(path) {
        try failOnLockedFile(path)
      }
      try performUnlessKilled(operation)
      if let protection = changeOptions.protection {
        device.protectedFiles[operation.path] = protection
      }
      return
    }
    let path = operation.usedPath
    if use == .append || use == .copy, try isLocked(path) {
      return checks.contains(.itemExists) ? () : try failOnLockedFile(path)
    }
    if checks.contains(.itemExists) {
      guard try currentTree()[path] == nil || staleLink(onTheWayTo: path) != nil else {
        return try performOnItem(operation)
      }
      return notes.forgetLostFiles(beside: path)
    }
    if device.lostItems.contains(path), try currentTree()[path] == nil {
      try record(.use(use, of: path, isMissing: true))
      throw StepFailure(reportedByRule: FileOperation.Failure(.noSuchFile, path))
    }
    // iOS may empty tmp between two launches, so a use without a check is a risk even if the item
    // exists.
    if use.needsContents, path.location == .temporary, tree.contains(path) {
      try record(.use(use, of: path, isMissing: false))
    }
    try performOnItem(operation)
  }

  private mutating func performOnItem(_ operation: FileOperation) throws(StepFailure) {
    if case .setMark(let mark, on: let path, to: let isSet) = operation {
      try setMark(mark, on: path, to: isSet)
    } else {
      try performUnlessKilled(operation)
    }
  }
}

extension FileOperation {
  /// The way in which the operation uses an item that must exist; nil if no item must exist.
  var use: Transcript.Event.Use? {
    switch self {
    case .append: .append
    case .copy: .copy
    case .move: .move
    case .remove: .remove
    case .setMark(_, on: _, to: let isSet): isSet ? .exclude : .include
    case .createDirectory, .write, .link: nil
    }
  }

  /// The item that the operation uses.
  var usedPath: ContainerPath {
    switch self {
    case .move(let source, to: _, replacing: _), .copy(let source, to: _): source
    case .createDirectory, .write, .append, .remove, .link, .setMark: path
    }
  }
}

extension Transcript.Event.Use {
  /// True if the app needs the contents of the item.
  fileprivate var needsContents: Bool {
    switch self {
    case .append, .copy, .move: true
    case .exclude, .include, .remove: false
    }
  }
}

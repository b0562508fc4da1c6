import BackupFileTree

extension StepKind {
  static let read: StepKind = {
    let path = Field<ContainerPath>("read", .path, default: .required, "The file to read.")
    let ifMissingField = Field(
      "ifMissing", .word([("recreate", true), ("skip", false)]),
      default: .inWords("the app does not check"),
      "With this key, the app checks whether the file exists. recreate: the app saves a missing "
        + "file again, atomically. skip: if the file is missing, the app continues.")
    let contents = ContentsFields("to save if the file is missing")
    return StepKind(
      .read, path,
      "The app reads a file. Without 'ifMissing', a missing file causes a finding. So does a file that "
        + "the app cannot decrypt.",
      examples: [
        ["read": "Documents/notes.txt"],
        ["read": "Library/Caches/stars.db", "ifMissing": "skip"],
        ["read": "Library/Caches/1.png", "ifMissing": "recreate", "size": "2 MB"],
      ],
      beside: [ifMissingField] + contents.all + [Field.sealedWith],
      keyRules: [
        .onlyIf(
          ifMissingField, is: "recreate", otherwise: "skip", exactlyOneOf: contents.all,
          optional: [Field.sealedWith])
      ]
    ) { step in
      let isIfMissingInvalid = step.isInvalid(ifMissingField)
      let recreatesFile = step[ifMissingField]
      let contents = contents.read(step, isRequired: recreatesFile == true)
      let hasUnusedKeys = contents != nil || step[Field.sealedWith] != nil
      if hasUnusedKeys, recreatesFile != true, !isIfMissingInvalid {
        step[path.key]?.report(
          "this step saves nothing, so it has no use for 'size', 'contents' or 'sealedWith'; add "
            + "ifMissing: \"recreate\", or remove them")
      }
      guard let path = step[path], !isIfMissingInvalid else { return nil }
      let ifMissing: AppStep.IfMissing<FileOperation.Contents> =
        switch (recreatesFile, contents) {
        case (nil, _): .unchecked
        case (true, let contents?): .recreated(contents)
        case (true, nil), (false, _): .skipped
        }
      return step.sealed(.read(path, ifMissing: ifMissing))
    }
  }()
}

extension ScenarioRun {
  mutating func read(
    _ path: ContainerPath, ifMissing: AppStep.IfMissing<FileOperation.Contents>
  ) throws(StepFailure) {
    if ifMissing == .unchecked { return try readUnchecked(path) }
    let item = try currentTree()[path]
    if try isLocked(path) {
      guard case .recreated(let contents) = ifMissing else { return }
      try record(.lockedTakenForMissing(path))
      return try performUnlessKilled(.write(path, contents, method: .atomically))
    }
    guard item?.isDirectory != false || staleLink(onTheWayTo: path) != nil else {
      return try requireDecryptable(item, at: path)
    }
    notes.forgetLostFiles(beside: path)
    if case .recreated(let contents) = ifMissing {
      try performUnlessKilled(.write(path, contents, method: .atomically))
    }
  }

  /// Reads a file for an app that does not check whether the file exists.
  private mutating func readUnchecked(_ path: ContainerPath) throws(StepFailure) {
    let item = try currentTree()[path]
    if try recordUsedStaleLink(onTheWayTo: [path], wrapperText: nil) {
      throw StepFailure(reportedByRule: FileOperation.Failure(.noSuchFile, path))
    }
    guard item?.isDirectory != true else {
      throw StepFailure(FileOperation.Failure(.isADirectory, path))
    }
    if try isLocked(path) { try failOnLockedFile(path) }
    try record(item == nil ? .readMissing(path, wrappedIn: nil) : .read(path))
    guard item != nil else {
      throw StepFailure(reportedByRule: FileOperation.Failure(.noSuchFile, path))
    }
    try requireDecryptable(item, at: path)
  }
}

import BackupDiagnostics
import BackupFileTree

extension Field where Value == String {
  /// The key for an app that encrypts the data that the step writes.
  static let sealedWith = Field(
    "sealedWith", .keychainItem, default: .inWords("not encrypted"),
    "The keychain item with which the app encrypts the data. Later reads of the file need this item "
      + "with the same value.")
}

extension ObjectReader {
  /// Returns the step. If the object has the key `sealedWith`, the step encrypts its file. Returns
  /// nil after a mistake.
  func sealed(_ step: AppStep) -> StepAction? {
    guard !isInvalid(Field.sealedWith) else { return nil }
    return .app(self[Field.sealedWith].map { .sealed(step, with: $0) } ?? step)
  }
}

extension AppStep {
  /// Returns the step with transformed contents for the file that it writes.
  func mapContents(
    _ transform: (FileOperation.Contents) -> FileOperation.Contents
  ) -> AppStep {
    switch self {
    case .change(.write(let path, let contents, method: let method), let changeOptions):
      .change(.write(path, transform(contents), method: method), changeOptions)
    case .change(.append(let path, let contents), let changeOptions):
      .change(.append(path, transform(contents)), changeOptions)
    case .read(let path, ifMissing: .recreated(let contents)):
      .read(path, ifMissing: .recreated(transform(contents)))
    case .sealed(let step, with: let name): .sealed(step.mapContents(transform), with: name)
    default: self
    }
  }
}

extension ScenarioRun {
  /// Performs a step that encrypts the file that it writes. Fails without the keychain item,
  /// unless the step only reads a file.
  mutating func carryOut(_ step: AppStep, sealedWith name: String) throws(StepFailure) {
    if let item = keychainItem(named: name) {
      var contentSize: Int64 = 0
      let sealedStep = step.mapContents { contents in
        contentSize = contents.size
        return contents.sealed(with: item.seal(named: name))
      }
      guard contentSize <= FileOperation.Contents.maximumSealedSize else {
        throw StepFailure(
          "the kit encrypts at most \(FileOperation.Contents.maximumSealedSize.formattedSize) in a step; "
            + "write less", .notAllowed)
      }
      return try carryOut(sealedStep)
    }
    // A `read` step writes only a missing file, so for an existing file it needs no keychain item.
    if case .read(let path, ifMissing: _) = step, try currentTree()[path] != nil {
      return try carryOut(.read(path, ifMissing: .skipped))
    }
    try reportMissingKeychainItem(name)
  }

  /// Throws if the app cannot decrypt a file, because a keychain item that encrypted it is missing
  /// or has a new value.
  mutating func requireDecryptable(_ item: FileTree.Item?, at path: ContainerPath)
    throws(StepFailure)
  {
    let seals = item?.information?.details?.seals ?? []
    guard let seal = seals.first(where: { device.keychain.item(of: $0) == nil }) else { return }
    try record(.cannotDecrypt(path, without: seal.name))
    throw StepFailure(
      "'\(path)' cannot be decrypted without the keychain item '\(seal.name.escapedExcerpt)' that "
        + "encrypted it", .reported(.simulated))
  }
}

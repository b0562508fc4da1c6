import BackupDiagnostics
import BackupFileTree

extension Field where Value == String {
  /// The key by which a step says that the app encrypts what it writes.
  static let sealedWith = Field(
    "sealedWith", .keychainItem, default: .inWords("not encrypted"),
    "The keychain item with which the app encrypts the data. Later reads of the file need this item "
      + "with the same value.")
}

extension ObjectReader {
  /// A step that writes contents, which a keychain item encrypts if the step says so; nil if a key is mistaken.
  func sealed(_ step: AppStep, _ contents: FileOperation.Contents) -> StepAction? {
    guard !isMistaken(Field.sealedWith) else { return nil }
    guard let name = self[Field.sealedWith] else { return .app(step) }
    guard contents.size <= FileOperation.Contents.mostSealed else {
      self[Field.sealedWith.key]?.note(
        "the kit seals at most \(FileOperation.Contents.mostSealed.formattedSize); make the file "
          + "smaller")
      return nil
    }
    return .app(.sealed(step, with: name))
  }
}

extension AppStep {
  /// The step with other contents of the file that it writes.
  func mapContents(
    _ transform: (FileOperation.Contents) -> FileOperation.Contents
  ) -> AppStep {
    switch self {
    case .change(.write(let path, let contents, method: let method), let checks):
      .change(.write(path, transform(contents), method: method), checks)
    case .change(.append(let path, let contents), let checks):
      .change(.append(path, transform(contents)), checks)
    case .read(let path, ifMissing: .recreated(let contents)):
      .read(path, ifMissing: .recreated(transform(contents)))
    case .sealed(let step, with: let name): .sealed(step.mapContents(transform), with: name)
    default: self
    }
  }
}

extension ScenarioRun {
  /// Does a step that writes a file, which an item encrypts that must exist.
  mutating func carryOut(_ step: AppStep, sealedWith name: String) throws(StepFailure) {
    if let item = state.keychain[name] {
      return try carryOut(step.mapContents { $0.sealed(with: item.seal(named: name)) })
    }
    // A file that exists is not written.
    if case .read(let path, ifMissing: _) = step, try look()[path] != nil {
      return try carryOut(.read(path, ifMissing: .skipped))
    }
    try reportMissingKeychainItem(name)
  }

  /// Decrypts a file, which is possible only with the items that encrypted it.
  mutating func unseal(_ item: FileTree.Item?, at path: ContainerPath) throws(StepFailure) {
    let seals = item?.information?.details?.seals ?? []
    guard let seal = seals.first(where: { state.keychain.item(of: $0) == nil }) else { return }
    try record(.cannotDecrypt(path, without: seal.name))
    throw StepFailure(
      "'\(path)' cannot be decrypted without the keychain item '\(seal.name.shown)' that "
        + "encrypted it", .reported(.simulated))
  }
}

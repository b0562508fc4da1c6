import BackupFileTree

extension StepKind {
  static let copy: StepKind = {
    let path = Field<ContainerPath>("copy", .path, default: .required, "The item to copy.")
    let destination = Field<ContainerPath>(
      "to", .path, default: .required, "The copy's path. The path must not exist yet.")
    return StepKind(
      .copy, path, "The app copies an item, with its contents and marks.",
      examples: [["copy": "Documents/letter.txt", "to": "Documents/letter 2.txt"]],
      beside: [destination, Field.skipsIfMissing, Field.skipsIfExists]
    ) { step in
      guard let path = step[path], let destination = step[destination],
        let changeOptions = step.changeOptions
      else { return nil }
      return .app(.change(.copy(path, to: destination), changeOptions))
    }
  }()
}

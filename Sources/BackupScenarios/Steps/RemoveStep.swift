import BackupFileTree

extension StepKind {
  static let remove: StepKind = {
    let path = Field<ContainerPath>("remove", .path, default: .required, "The item to remove.")
    return StepKind(
      .remove, path, "The app removes an item and its contents.",
      examples: [
        ["remove": "tmp/draft.txt"],
        ["remove": "Library/Caches/1.png", "ifMissing": "skip"],
      ],
      beside: [Field.skipsIfMissing]
    ) { step in
      guard let path = step[path], let changeOptions = step.changeOptions else { return nil }
      return .app(.change(.remove(path), changeOptions))
    }
  }()
}

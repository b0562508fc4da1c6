import BackupFileTree

extension StepKind {
  static let remove: StepKind = {
    let path = Field<ContainerPath>("remove", .path, default: .required, "The item to remove.")
    return StepKind(
      path, by: .app, "The app removes an item and its contents.",
      examples: [
        ["remove": "tmp/draft.txt"],
        ["remove": "Library/Caches/1.png", "ifMissing": "skip"],
      ],
      beside: [Field.skipsIfMissing]
    ) { step in
      let looksFirst = step[Field.skipsIfMissing]
      guard let path = step[path], !step.isMistaken(Field.skipsIfMissing) else { return nil }
      return StepAction(summary: "remove \(path)", of: .item(path, .needed)) {
        run throws(StepFailure) in
        try run.use(path, as: .remove, looksFirst: looksFirst) { run throws(StepFailure) in
          try run.perform(.remove(path))
        }
      }
    }
  }()
}

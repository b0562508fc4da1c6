import BackupFileTree

extension StepKind {
  static let remove: StepKind = {
    let path = Field<ContainerPath>("remove", .path, default: .required, "The item to remove.")
    return StepKind(
      path, by: .app, "The app removes an item and its contents.",
      examples: [["remove": "tmp/draft.txt"]]
    ) { step in
      guard let path = step[path] else { return nil }
      return StepAction(summary: "remove \(path)") { run throws(StepFailure) in
        try run.perform(.remove(path))
      }
    }
  }()
}

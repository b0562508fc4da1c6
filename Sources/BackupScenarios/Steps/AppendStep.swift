import BackupFileTree

extension StepKind {
  static let append: StepKind = {
    let path = Field<ContainerPath>("append", .path, default: .required, "The file to append to.")
    let contents = ContentsFields("to append")
    return StepKind(
      path, by: .app,
      "The app appends data to an existing file. The step needs 'size' or 'contents'.",
      examples: [["append": "Documents/log.txt", "contents": "One more line"]],
      beside: contents.all, rules: [.exactlyOne(of: contents.all)]
    ) { step in
      let contents = contents.read(step)
      guard let path = step[path], let contents else { return nil }
      return StepAction(summary: "append \(path)") { run throws(StepFailure) in
        try run.perform(.append(path, contents))
      }
    }
  }()
}

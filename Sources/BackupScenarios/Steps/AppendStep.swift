import BackupFileTree

extension StepKind {
  static let append: StepKind = {
    let path = Field<ContainerPath>("append", .path, default: .required, "The file to append to.")
    let contents = ContentsFields("to append")
    return StepKind(
      .append, path,
      "The app appends data to an existing file. The step needs 'size' or 'contents'.",
      examples: [["append": "Documents/log.txt", "contents": "One more line"]],
      beside: contents.all + [Field.skipsIfMissing, Field.sealedWith],
      keyRules: [.exactlyOne(of: contents.all)]
    ) { step in
      let contents = contents.read(step)
      guard let path = step[path], let contents, let changeOptions = step.changeOptions else {
        return nil
      }
      return step.sealed(.change(.append(path, contents), changeOptions))
    }
  }()
}

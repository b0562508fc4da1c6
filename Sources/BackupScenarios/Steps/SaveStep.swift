import BackupFileTree

extension StepKind {
  static let save: StepKind = {
    let path = Field<ContainerPath>("save", .path, default: .required, "The file to save.")
    let contents = ContentsFields("to save")
    let method = Field<FileOperation.WriteMethod>(
      "how",
      .word(
        [
          ("atomically", .atomically), ("inPlace", .inPlace), ("deleteFirst", .deleteFirst),
          ("replaceItem", .atomically), ("document", .atomically), ("fileHandle", .inPlace),
        ], named: "way to save"), default: .value("atomically"),
      "How the app saves. atomically, replaceItem and document replace the old file with a new "
        + "file. inPlace and fileHandle write into the old file. deleteFirst removes the old file "
        + "first.")
    return StepKind(
      .save, path,
      "The app saves a file. The step needs 'size' or 'contents'. The directory must exist.",
      examples: [["save": "Documents/notes.txt", "size": "10 KB"]],
      beside: contents.all + [method, Field.protection, Field.skipsIfExists, Field.sealedWith],
      keyRules: [.exactlyOne(of: contents.all)]
    ) { step in
      let contents = contents.read(step)
      guard let path = step[path], let contents, let method = step[method],
        let changeOptions = step.changeOptions
      else { return nil }
      return step.sealed(.change(.write(path, contents, method: method), changeOptions))
    }
  }()
}

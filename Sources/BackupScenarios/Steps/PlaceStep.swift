import BackupFileTree

extension StepKind {
  /// `place: PATH` with `size` or `contents`: the system puts a file into the container.
  static let place: StepKind = {
    let path = Field<ContainerPath>(
      "place", .path, default: .required, "The file; missing directories above it are created.")
    let contents = ContentsFields("in the file")
    return StepKind(
      path, by: .system,
      "iOS creates or replaces a file with 'size' or 'contents', for example from another app, "
        + "the Files app or a background download. The app is not launched. Findings on the file "
        + "begin after the app's next launch or step.",
      examples: [["place": "Documents/Inbox/letter.pdf", "size": "200 KB"]],
      beside: contents.all, rules: [.exactlyOne(of: contents.all)]
    ) { step in
      let contents = contents.read(step)
      guard let path = step[path], let contents else { return nil }
      return StepAction("place \(path)", needsApp: true) { run throws(StepFailure) in
        try run.place(contents, at: path)
      }
    }
  }()
}

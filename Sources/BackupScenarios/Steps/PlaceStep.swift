import BackupFileTree

extension StepKind {
  /// `place: PATH` with `size` or `contents`: the system puts a file into the container.
  static let place: StepKind = {
    let path = Field<ContainerPath>(
      "place", .path, default: .required, "The file; missing directories above it are created.")
    let contents = ContentsFields("in it", "; large files cost nothing")
    return StepKind(
      path, by: .system,
      "The system creates or replaces a file, with either 'size' or 'contents': a file from "
        + "another app, from the user in Files, or from a download in the background. The app is "
        + "not started, and is not responsible for the file until it has started or done a step.",
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

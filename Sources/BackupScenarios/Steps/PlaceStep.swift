import BackupFileTree

extension StepKind {
  static let place: StepKind = {
    let path = Field<ContainerPath>(
      "place", .path, default: .required, "The file; missing directories above it are created.")
    let contents = ContentsFields("in the file")
    return StepKind(
      .place, path,
      "iOS puts a file into the container, for example from another app, the Files app or a "
        + "background download. The step needs 'size' or 'contents', and does not launch the app. "
        + "The rules judge the file only after the next launch or app step.",
      examples: [["place": "Documents/Inbox/letter.pdf", "size": "200 KB"]],
      beside: contents.all, keyRules: [.exactlyOne(of: contents.all)]
    ) { step in
      let contents = contents.read(step)
      guard let path = step[path], let contents else { return nil }
      return .system(.place(contents, at: path))
    }
  }()
}

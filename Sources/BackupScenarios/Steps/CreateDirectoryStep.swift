import BackupFileTree

extension StepKind {
  static let createDirectory: StepKind = {
    let path = Field<ContainerPath>(
      "createDirectory", .path, default: .required, "The directory to create.")
    let intermediates = Field(
      "intermediates", .boolean, default: .value(true),
      "true: the app also creates missing parent directories. false: the step fails if the parent "
        + "directory is missing, or if an item exists at the path.")
    return StepKind(
      .createDirectory, path, "The app creates a directory.",
      examples: [["createDirectory": "Library/Application Support/Movies"]],
      beside: [intermediates]
    ) { step in
      guard let path = step[path], let intermediates = step[intermediates] else { return nil }
      return .app(
        .change(.createDirectory(path, intermediates: intermediates)))
    }
  }()
}

import BackupFileTree

extension StepKind {
  static let link: StepKind = {
    let path = Field<ContainerPath>("link", .path, default: .required, "The link to create.")
    let destination = Field<ContainerPath>(
      "to", .path, default: .required,
      "The path that the link points to. The path need not exist.")
    let absolute = Field(
      "absolute", .boolean, default: .value(false),
      "true: the link contains an absolute path. An update or a restore makes this path invalid.")
    return StepKind(
      .link, path, "The app creates a symbolic link.",
      examples: [["link": "Documents/latest", "to": "Library/Caches/latest"]],
      beside: [destination, absolute]
    ) { step in
      guard let path = step[path], let destination = step[destination],
        let isAbsolute = step[absolute]
      else { return nil }
      return .app(
        isAbsolute
          ? .linkAbsolutely(path, to: destination)
          : .change(.link(path, destination: destination)))
    }
  }()
}

extension OperationTarget {
  /// Requires that each path that names a container names one that is there, and something in it:
  /// the app can mark a container itself, and that is all.
  ///
  /// - Parameter operation: What is to be done.
  /// - Throws: ``FileOperationError`` for the first path that does not.
  func requireContainers(of operation: FileOperation) throws(FileOperationError) {
    for path in operation.namedPaths { try requireContainer(of: path, in: operation) }
  }

  /// See ``requireContainers(of:)``.
  private func requireContainer(
    of path: ContainerPath, in operation: FileOperation
  ) throws(FileOperationError) {
    guard let name = path.containerName else { return }
    guard hasContainer(name) else {
      throw FileOperationError(
        .failed, path,
        underlying: "there is no container '\(name)', and an app can make no item of such a name")
    }
    if case .setMark = operation { return }
    guard !path.isContainer else {
      throw FileOperationError(
        .failed, path,
        underlying: "it is a container, which only the system makes and removes: name an item in it"
      )
    }
  }
}

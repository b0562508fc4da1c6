extension FileOperation {
  /// How an app writes a whole file.
  public enum WriteMethod: String, CaseIterable, Hashable, Sendable {
    /// A temporary file, then a rename over: a new item (`swift-foundation`).
    case atomically
    /// Truncated and written again: the same item.
    case inPlace
    /// Removed and created again: a new item.
    case deleteFirst
  }
}

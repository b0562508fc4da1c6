import CBackupProcess

/// A thread of its own, for work that blocks.
package enum DetachedThread {
  /// Work on its way to its thread.
  private final class Work: Sendable {
    /// What is to be done.
    let body: @Sendable () -> Void

    /// Work to be done.
    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Does work on a new thread, which nobody waits for.
  ///
  /// - Returns: 0, or the error number where the machine gives no thread; nothing is done then.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let work = Unmanaged.passRetained(Work(body))
    let error = cpr_detach(
      { context in
        guard let context else { return }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      }, work.toOpaque())
    if error != 0 { work.release() }
    return error
  }
}

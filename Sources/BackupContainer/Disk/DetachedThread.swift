import CBackupProcess

/// Does work on a thread of its own, which nobody waits for, as of work that blocks.
///
/// - Returns: 0, or the error number where the machine gives no thread; nothing is done then.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  let work = Unmanaged.passRetained(ThreadWork(body))
  let error = cpr_detach(
    { context in
      guard let context else { return }
      Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
    }, work.toOpaque())
  if error != 0 { work.release() }
  return error
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

import BackupContainer
import BackupDiagnostics
package import Foundation

/// What a process of the app's answers.
package struct AppReply: AppMessageContent, Hashable {
  /// Why it cannot serve at all; nil where it can.
  package var refusal: String?
  /// The name that Foundation gives this process's files.
  package var processName: String?
  /// The folder that Foundation takes for the app's bundle, by its name.
  package var bundleName: String?
  /// What the code threw; nil where it came to its end.
  package var thrown: ActionCall.CodeError?
  /// What the code has recorded.
  package var issues: [Issue] = []
  package var asked: [String] = []
  /// Whether marks that it sets by Foundation are seen.
  package var seesFoundationMarks = false
  /// Whether its own check was asked for, but does not exist.
  package var hasNoCheck = false

  package init() {}

  package var isNothing: Bool { self == AppReply() }

  /// The answer as it is sent; one that cannot be sent, or has more bytes than `size`, becomes one
  /// that says so.
  package func message(to number: Int, ofAtMost size: Int) -> Data {
    let data = try? AppMessage(number, self).data()
    if let data, data.count <= size { return data }
    var reply = AppReply()
    reply.refusal =
      "what the app's code threw and recorded "
      + (data.map {
        "takes \($0.count.formattedSize), and an answer can have at most "
          + "\(size.formattedSize)"
      }
        ?? "cannot be encoded")
    return (try? AppMessage(number, reply).data()) ?? Data()
  }

  /// An issue that the app's code has recorded, such as by `#expect`.
  package struct Issue: Codable, Hashable, Sendable {
    package let text: String
    package let isWarning: Bool
    /// The file as Swift names it, and its absolute path.
    package let fileID, file: String
    /// The place in it, from 1.
    package let line, column: Int

    package init(
      _ text: String, isWarning: Bool, fileID: String, file: String, line: Int, column: Int
    ) {
      self.text = text
      self.isWarning = isWarning
      self.fileID = fileID
      self.file = file
      self.line = line
      self.column = column
    }
  }

  /// Notes what an action made of its arguments.
  package mutating func note(_ call: ActionCall) {
    asked = call.askedNames.sorted()
  }

  /// Takes over what the app's process has noted of an action.
  package func hand(to call: ActionCall) {
    call.noteAsked(asked)
  }
}

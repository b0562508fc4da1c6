import CBackupProcess
import Foundation

/// How a process of the app's is started: as one was that a test library had started.
package struct AppRecipe: Codable, Hashable, Sendable {
  /// The absolute path of the executable.
  let executable: String
  /// The arguments, the executable's name first.
  let arguments: [String]
  /// The variables that it was started with.
  let environment: [String: String]

  /// How this process was started; nil where the system does not show it.
  package static func ofThisProcess() -> AppRecipe? {
    var start = cpr_own_start()
    guard cpr_find_start(&start) == 0 else { return nil }
    defer { cpr_free_start(&start) }
    let variables = texts(start.environment, start.environment_size).compactMap { text in
      text.firstIndex(of: "=").map { (text[..<$0], text[text.index(after: $0)...]) }
    }
    return AppRecipe(
      executable: start.executable.map { String(cString: $0) } ?? "",
      arguments: texts(start.arguments, start.arguments_size),
      environment: Dictionary(variables.map { (String($0), String($1)) }) { first, _ in first })
  }

  /// Texts, each of which a NUL ends.
  private static func texts(_ start: UnsafePointer<CChar>?, _ size: Int) -> [String] {
    guard let start, size > 0 else { return [] }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    let end = bytes.last == 0 ? size - 1 : size
    return bytes[..<end].split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// What stands around a recipe in what a process prints.
  private static let mark = "<backup-testing-recipe>"

  /// The recipe as a line to print.
  package var line: String {
    let data = (try? JSONEncoder().encode(self)) ?? Data()
    return "\n\(Self.mark)\(data.base64EncodedString())\(Self.mark)\n"
  }

  /// The recipe in what a process has printed; nil where there is none.
  package init?(printed bytes: some Sequence<UInt8>) {
    let parts = String(decoding: Array(bytes), as: UTF8.self).components(separatedBy: Self.mark)
    guard parts.count == 3, let data = Data(base64Encoded: parts[1]),
      let recipe = try? JSONDecoder().decode(AppRecipe.self, from: data)
    else { return nil }
    self = recipe
  }

  /// A recipe of these parts.
  init(executable: String, arguments: [String], environment: [String: String]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }
}

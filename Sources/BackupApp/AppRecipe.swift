import CBackupProcess
import Foundation

/// How a process of the app's is started: as one was that a test library had started.
package struct AppRecipe: Codable, Hashable, Sendable {
  /// The absolute path of the executable.
  let executable: Data
  /// The arguments, the executable's name first.
  let arguments: [Data]
  /// The variables that it was started with, each as `NAME=VALUE`; in bytes, since a value may be
  /// no text.
  let environment: [Data]

  init(executable: Data, arguments: [Data], environment: [Data]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  /// How this process was started; nil if the system does not show it.
  package static func ofThisProcess() -> AppRecipe? {
    var start = cpr_own_start()
    guard cpr_find_start(&start) == 0 else { return nil }
    defer { cpr_free_start(&start) }
    return AppRecipe(
      executable: start.executable.map { Data(bytes: $0, count: strlen($0)) } ?? Data(),
      arguments: parts(start.arguments, start.arguments_size),
      // What was forked has room behind its variables.
      environment: parts(start.environment, start.environment_size).filter { !$0.isEmpty })
  }

  /// Bytes without a NUL, each behind the NUL that ends the former.
  private static func parts(_ start: UnsafePointer<CChar>?, _ size: Int) -> [Data] {
    guard let start, size > 0 else { return [] }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    let end = bytes.last == 0 ? size - 1 : size
    return bytes[..<end].split(separator: 0, omittingEmptySubsequences: false).map { Data($0) }
  }

  /// The variables with others beside them, or in their place.
  func environment(with variables: [String: String]) -> [Data] {
    let names = Set(variables.keys.map { Data($0.utf8) })
    return environment.filter { !names.contains(Data($0.prefix { $0 != UInt8(ascii: "=") })) }
      + variables.map { Data("\($0.key)=\($0.value)".utf8) }
  }

  /// What stands around a recipe in what a process prints.
  private static let mark = "<backup-testing-recipe>"

  package var line: String {
    let data = (try? JSONEncoder().encode(self)) ?? Data()
    return "\n\(Self.mark)\(data.base64EncodedString())\(Self.mark)\n"
  }

  /// The recipe in what a process has printed; nil if it has printed none.
  package init?(printed bytes: some Sequence<UInt8>) {
    let parts = String(decoding: Array(bytes), as: UTF8.self).components(separatedBy: Self.mark)
    guard parts.count == 3, let data = Data(base64Encoded: parts[1]),
      let recipe = try? JSONDecoder().decode(AppRecipe.self, from: data)
    else { return nil }
    self = recipe
  }
}

import BackupCollections
import BackupContainer
import BackupDiagnostics
import Foundation

/// A line of the app's code.
package struct CodePlace: Codable, Hashable, Sendable {
  /// As in `MovieStore.keep(_:as:)`.
  package let function: String
  /// Relative to the working directory, or absolute.
  package let file: String
  package let line: Int
  /// Whether the stack ends here, because an asynchronous function has no caller on it.
  package let isAsynchronous: Bool

  var description: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "`\(function)`, \(name):\(line)"
  }
}

/// Finds the lines of code by the toolchain's `llvm-symbolizer` and `swift-demangle`.
enum CodeReader {
  private struct Address: Hashable {
    let program: String
    let offset: UInt64
  }

  /// What is known already: a line does not change while a test runs.
  private static let known = Locked<[Address: [CodePlace]]>([:])

  /// The app's own functions on a call's stack, the innermost first, without those of the kit; nil if
  /// there is no `llvm-symbolizer`.
  static func places(of call: ChangeCall) -> [CodePlace]? {
    guard read([call]) else { return nil }
    return known.withLock { known in addresses(of: call).flatMap { known[$0] ?? [] } }
  }

  private static func addresses(of call: ChangeCall) -> [Address] {
    // A return address is behind the call, and may be on the next line.
    call.callers.map { Address(program: call.program, offset: $0 - 1) }
  }

  /// How many addresses a process is given as its arguments.
  private static let mostAddresses = 2000

  /// Finds the lines of many calls, which is faster than for one after the other.
  @discardableResult
  static func read(_ calls: [ChangeCall]) -> Bool {
    let missing = known.withLock { known in
      Set(calls.flatMap(addresses)).filter { known[$0] == nil }
    }
    for alike in Array(missing).grouped(by: \.program) {
      for start in stride(from: 0, to: alike.count, by: mostAddresses) {
        let some = alike[start..<min(start + mostAddresses, alike.count)]
        guard let found = read(some.map(\.offset), in: some[start].program) else { return false }
        known.withLock { $0.merge(zip(some, found)) { $1 } }
      }
    }
    return true
  }

  /// A frame as `llvm-symbolizer` writes it.
  private struct Answer: Decodable {
    let symbols: [Symbol]?

    struct Symbol: Decodable {
      let function: String
      let file: String
      let line: Int

      private enum CodingKeys: String, CodingKey {
        case function = "FunctionName"
        case file = "FileName"
        case line = "Line"
      }
    }

    private enum CodingKeys: String, CodingKey {
      case symbols = "Symbol"
    }
  }

  private static func read(_ offsets: [UInt64], in program: String) -> [[CodePlace]]? {
    let options = ["--obj=\(program)", "--output-style=JSON", "--functions=linkage", "--inlines"]
    let numbers = offsets.map { "0x" + String($0, radix: 16) }
    guard let output = run("llvm-symbolizer", options + numbers),
      let answers = try? JSONDecoder().decode([Answer].self, from: output)
    else { return nil }
    let symbols = answers.map { ($0.symbols ?? []).filter { isOfApp($0.file, $0.line) } }
    let names = Array(Set(symbols.joined().map(\.function)))
    let lines = names.isEmpty ? nil : run("swift-demangle", ["--compact", "--simplified"] + names)
    let demangled = String(decoding: lines ?? Data(), as: UTF8.self).split(separator: "\n")
    let functions = Dictionary(zip(names, demangled)) { first, _ in first }
    return symbols.map { symbols in
      symbols.map { symbol in
        let function = functions[symbol.function].map(String.init) ?? symbol.function
        return CodePlace(
          function: function.components(separatedBy: " function for ").last.map(shortened) ?? "",
          file: symbol.file.inWorkingDirectory, line: symbol.line,
          isAsynchronous: symbol.function.contains(#/YaK?(Yb)?(F|cf)/#))
      }
    }
  }

  /// `closure in A.b` for `closure #2 in closure #1 in variable initialization expression of static A.b`.
  private static func shortened(_ function: String) -> String {
    let words = ["static ", "variable initialization expression of ", "specialized ", "merged "]
    return words.reduce(function) { $0.replacing($1, with: "") }
      .replacing(#/(closure #\d+ in )+/#, with: "closure in ")
  }

  /// Where the kit's own code is.
  private static let ownFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Whether a line is the app's, and not the kit's, or the standard library's that was inlined.
  private static func isOfApp(_ file: String, _ line: Int) -> Bool {
    guard line > 0, !file.hasPrefix("\(ownFolder)/"),
      let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: file)).read(upToCount: 50)
    else { return false }
    return !String(decoding: start, as: UTF8.self).hasPrefix("// Printed by `backup-testing")
      && !shimFiles.contains(URL(fileURLWithPath: file).lastPathComponent)
  }

  /// Where the plugin LinuxShim puts the kit's code into the app's module.
  private static let shimFiles = [
    "ContainerShim.swift", "ContainerRedirections.swift", "ContainerXattr.swift",
  ]

  /// What a tool of the toolchain prints; nil if it is missing or fails.
  private static func run(_ tool: String, _ arguments: [String]) -> Data? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = try? output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }
}

import BackupContainer
import BackupDiagnostics
import CBackupProcess
package import Foundation

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

  /// The module whose code has a mangled name; nil for what is not Swift's, or not understood.
  ///
  /// After `$s` is the module or, for a member of an extension, the type that is extended, then the
  /// extension's module and `E`: `$s6Cinema10MovieStoreO…`, `$s10Foundation4DataV6CinemaE…`, `$sSS6CinemaE…`.
  static func module(in mangled: String) -> String? {
    guard mangled.hasPrefix("$s") else { return nil }
    var rest = mangled.dropFirst(2)
    func takeName() -> String? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.hasPrefix("0"), let count = Int(digits), rest.count >= digits.count + count
      else { return nil }
      rest = rest.dropFirst(digits.count)
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }
    var module: String?
    if rest.first == "S" { rest = rest.dropFirst(2) } else { module = takeName() }
    while let name = takeName(), let kind = rest.first {
      if kind == "E" { return name }
      guard "VCOP".contains(kind) else { return module }
      rest = rest.dropFirst()
    }
    return module
  }

  /// Whether a source file is the kit's in an app's module, for Linux, or cannot be read.
  package static func isShim(_ file: URL) -> Bool {
    let shims = ["ContainerShim.swift", "ContainerRedirections.swift", "ContainerXattr.swift"]
    guard !shims.contains(file.lastPathComponent),
      let start = try? FileHandle(forReadingFrom: file).read(upToCount: 50)
    else { return true }
    return String(decoding: start, as: UTF8.self).hasPrefix("// Printed by `backup-testing")
  }
}

/// Finds the lines of code by the toolchain's `llvm-symbolizer` and `swift-demangle`.
package enum CodeReader {
  /// The executable of the tests, which is the app's too; empty on a Mac, which has no such link.
  private static let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

  /// What is known already, by address: a line does not change while a test runs.
  private static let known = Locked<[UInt64: [Frame]]>([:])

  /// A function on a stack, with its module if its mangled name says it.
  private struct Frame {
    let place: CodePlace
    let module: String?
  }

  /// The app's own functions on a call's stack, the innermost first, without those of the kit, and
  /// without those of a tool that the app started; nil if there is no `llvm-symbolizer`.
  static func places(of call: ChangeCall) -> [CodePlace]? { frames(of: call)?.map(\.place) }

  /// The same for the return addresses of functions of this program.
  static func places(of callers: [UInt64]) -> [CodePlace]? {
    frames(at: callers.ofCalls)?.map(\.place)
  }

  /// The module of the first of a call's functions; nil if it is not known.
  static func module(of call: ChangeCall) -> String? { frames(of: call)?.first?.module }

  private static func frames(of call: ChangeCall) -> [Frame]? {
    call.program == program ? frames(at: call.callers.ofCalls) : []
  }

  private static func frames(at addresses: [UInt64]) -> [Frame]? {
    guard read(addresses) else { return nil }
    return known.withLock { known in addresses.flatMap { known[$0] ?? [] } }
  }

  /// How many addresses a process is given as its arguments.
  private static let mostAddresses = 2000

  /// Finds the lines of many calls, which is faster than for one after the other.
  @discardableResult
  static func read(_ calls: [ChangeCall]) -> Bool {
    read(calls.filter { $0.program == program }.flatMap(\.callers.ofCalls))
  }

  private static func read(_ addresses: [UInt64]) -> Bool {
    let missing = Array(Set(addresses).subtracting(known.withLock(\.keys)))
    return stride(from: 0, to: missing.count, by: mostAddresses).allSatisfy { start in
      let some = missing[start..<min(start + mostAddresses, missing.count)]
      guard let found = read(some) else { return false }
      known.withLock { $0.merge(zip(some, found)) { $1 } }
      return true
    }
  }

  private static func read(_ addresses: ArraySlice<UInt64>) -> [[Frame]]? {
    // No server is asked for symbols.
    let tool = ["DEBUGINFOD_URLS=", "llvm-symbolizer", "--obj=\(program)"]
    let options = ["--output-style=JSON", "--functions=linkage", "--inlines"]
    let numbers = addresses.map { "0x" + String($0, radix: 16) }
    // Whatever else an `llvm-symbolizer` prints, it is as good as none.
    guard let output = printed(by: "env", tool + options + numbers),
      let answers = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]],
      answers.count == addresses.count
    else { return nil }
    let frames = answers.map { answer in
      (answer["Symbol"] as? [[String: Any]] ?? []).compactMap { symbol in
        guard let name = symbol["FunctionName"] as? String, let line = symbol["Line"] as? Int,
          let file = symbol["FileName"] as? String, isOfApp(file, line)
        else { return nil as (name: String, file: String, line: Int)? }
        return (name, file, line)
      }
    }
    let names = Array(Set(frames.joined().map(\.name)))
    let lines =
      names.isEmpty
      ? nil : printed(by: "swift-demangle", ["--compact", "--simplified"] + names)
    let demangled = (lines ?? "").split(separator: "\n").map(String.init)
    let functions = Dictionary(zip(names, demangled)) { first, _ in first }
    return frames.map { frames in
      frames.map { name, file, line in
        let function = functions[name]?.components(separatedBy: " function for ").last ?? name
        let place = CodePlace(
          function: shortened(function), file: file.inWorkingDirectory, line: line,
          isAsynchronous: name.contains(#/YaK?(Yb)?(F|cf)/#))
        return Frame(place: place, module: CodePlace.module(in: name))
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
    line > 0 && !file.hasPrefix("\(ownFolder)/") && !CodePlace.isShim(URL(fileURLWithPath: file))
  }

  /// What a tool of the toolchain prints; nil if it is missing or fails.
  package static func printed(by tool: String, _ arguments: [String]) -> String? {
    let words = ([tool] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    guard let text = cpr_run_tool(words + [nil]) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

extension [UInt64] {
  /// Where the calls on a stack are: a return address is behind the call, and may be on the next line. The
  /// addresses are from a process of the app's, and one may be 0.
  fileprivate var ofCalls: [UInt64] { filter { $0 > 0 }.map { $0 - 1 } }
}

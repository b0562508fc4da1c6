import BackupContainer
import BackupDiagnostics
import CBackupProcess
package import Foundation

/// A line of the app's code.
package struct CodePlace: Codable, Hashable, Sendable {
  /// The function's name in Swift, such as `MovieStore.keep(_:as:)`.
  package let function: String
  /// The path of the source file, relative to the working directory or absolute.
  package let file: String
  package let line: Int
  /// True if the function is asynchronous. The stack then does not have its caller.
  package let isAsynchronous: Bool

  var description: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "`\(function)`, \(name):\(line)"
  }

  /// Returns the module in a mangled name of Swift; nil for other names and unknown forms.
  ///
  /// The module comes first, as in `$s6Cinema10MovieStoreO…`. In the name of an extension's member,
  /// the extended type comes first, and the extension's module is before `E`. For example,
  /// `$s10Foundation4DataV6CinemaE…` extends `Data`, and `$sSS6CinemaE…` extends `String`.
  static func module(in mangled: String) -> String? {
    guard mangled.hasPrefix("$s") else { return nil }
    var remainingText = mangled.dropFirst(2)
    func parseName() -> String? {
      let digits = remainingText.prefix { $0.isASCII && $0.isNumber }
      guard !digits.hasPrefix("0"), let count = Int(digits),
        remainingText.count >= digits.count + count
      else { return nil }
      remainingText = remainingText.dropFirst(digits.count)
      defer { remainingText = remainingText.dropFirst(count) }
      return String(remainingText.prefix(count))
    }
    var module: String?
    // `S` and a letter stand for a type of the standard library, such as `SS` for `String`.
    if remainingText.first == "S" {
      remainingText = remainingText.dropFirst(2)
    } else {
      module = parseName()
    }
    while let name = parseName(), let letter = remainingText.first {
      if letter == "E" { return name }
      // The letters of a structure, a class, an enumeration and a protocol.
      guard "VCOP".contains(letter) else { return module }
      remainingText = remainingText.dropFirst()
    }
    return module
  }

  /// Returns true if a source file in an app's module is the kit's shim, or cannot be read.
  package static func isShim(_ file: URL) -> Bool {
    let shims = ["ContainerShim.swift", "ContainerRedirections.swift", "ContainerXattr.swift"]
    guard !shims.contains(file.lastPathComponent),
      let start = try? FileHandle(forReadingFrom: file).read(upToCount: 50)
    else { return true }
    return String(decoding: start, as: UTF8.self).hasPrefix("// Printed by `backup-testing")
  }
}

/// Finds the app's lines of code at addresses, with the toolchain's `llvm-symbolizer` and
/// `swift-demangle`.
package enum CodeReader {
  /// The path of this process's executable, which contains the tests and the app; empty on a Mac,
  /// which has no `/proc`.
  private static let ownProgram =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

  /// The frames at each address, which stay the same while the process runs.
  private static let cachedFrames = Locked<[UInt64: [Frame]]>([:])

  /// A function on a stack, with its module if the mangled name contains it.
  private struct Frame {
    let place: CodePlace
    let module: String?
  }

  /// Returns the app's functions on the stack of a call, the innermost first; nil without
  /// `llvm-symbolizer`.
  ///
  /// Leaves out the kit's functions, and those of a tool that the app started.
  static func places(of call: ChangeCall) -> [CodePlace]? { frames(of: call)?.map(\.place) }

  /// Returns the app's functions on a stack that is given as return addresses; nil without
  /// `llvm-symbolizer`.
  static func places(of callers: [UInt64]) -> [CodePlace]? {
    frames(at: callers.callAddresses)?.map(\.place)
  }

  /// Returns the module of a call's innermost function; nil if it is not known.
  static func module(of call: ChangeCall) -> String? { frames(of: call)?.first?.module }

  private static func frames(of call: ChangeCall) -> [Frame]? {
    call.program == ownProgram ? frames(at: call.callers.callAddresses) : []
  }

  private static func frames(at addresses: [UInt64]) -> [Frame]? {
    guard cacheFrames(at: addresses) else { return nil }
    return cachedFrames.withLock { cached in addresses.flatMap { cached[$0] ?? [] } }
  }

  /// The most addresses that one process of `llvm-symbolizer` gets as arguments.
  private static let maximumBatchSize = 2000

  /// Finds the functions of many calls at once, which is faster than one call after the other.
  @discardableResult
  static func cacheFrames(of calls: [ChangeCall]) -> Bool {
    cacheFrames(at: calls.filter { $0.program == ownProgram }.flatMap(\.callers.callAddresses))
  }

  private static func cacheFrames(at addresses: [UInt64]) -> Bool {
    let newAddresses = Array(Set(addresses).subtracting(cachedFrames.withLock(\.keys)))
    return stride(from: 0, to: newAddresses.count, by: maximumBatchSize).allSatisfy { start in
      let batch = newAddresses[start..<min(start + maximumBatchSize, newAddresses.count)]
      guard let frames = symbolize(batch) else { return false }
      cachedFrames.withLock { $0.merge(zip(batch, frames)) { $1 } }
      return true
    }
  }

  private static func symbolize(_ addresses: ArraySlice<UInt64>) -> [[Frame]]? {
    // If `DEBUGINFOD_URLS` had a value, the tool would ask servers for symbols.
    let command = ["DEBUGINFOD_URLS=", "llvm-symbolizer", "--obj=\(ownProgram)"]
    let options = ["--output-style=JSON", "--functions=linkage", "--inlines"]
    let addressTexts = addresses.map { "0x" + String($0, radix: 16) }
    guard let answerText = output(of: "env", command + options + addressTexts),
      let answers = try? JSONSerialization.jsonObject(with: Data(answerText.utf8))
        as? [[String: Any]],
      answers.count == addresses.count
    else { return nil }
    let symbols = answers.map { answer in
      (answer["Symbol"] as? [[String: Any]] ?? []).compactMap { symbol in
        guard let name = symbol["FunctionName"] as? String, let line = symbol["Line"] as? Int,
          let file = symbol["FileName"] as? String, isOfApp(file, line)
        else { return nil as (name: String, file: String, line: Int)? }
        return (name, file, line)
      }
    }
    let mangledNames = Array(Set(symbols.joined().map(\.name)))
    let demangledText =
      mangledNames.isEmpty
      ? nil : output(of: "swift-demangle", ["--compact", "--simplified"] + mangledNames)
    let demangledNames = (demangledText ?? "").split(separator: "\n").map(String.init)
    let demangling = Dictionary(zip(mangledNames, demangledNames)) { first, _ in first }
    return symbols.map { symbols in
      symbols.map { name, file, line in
        let function = demangling[name]?.components(separatedBy: " function for ").last ?? name
        // `Ya` before `F` (a function) or `cf` (an initializer) stands for `async`.
        let place = CodePlace(
          function: shortened(function), file: file.relativeToWorkingDirectory, line: line,
          isAsynchronous: name.contains(#/YaK?(Yb)?(F|cf)/#))
        return Frame(place: place, module: CodePlace.module(in: name))
      }
    }
  }

  /// Returns `closure in A.b` for `closure #2 in closure #1 in static A.b`.
  private static func shortened(_ function: String) -> String {
    let removedWords = [
      "static ", "variable initialization expression of ", "specialized ", "merged ",
    ]
    return removedWords.reduce(function) { $0.replacing($1, with: "") }
      .replacing(#/(closure #\d+ in )+/#, with: "closure in ")
  }

  /// The folder of the kit's own code.
  private static let ownFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Returns true if a line is the app's. Inlined code of the standard library has line 0.
  private static func isOfApp(_ file: String, _ line: Int) -> Bool {
    line > 0 && !file.hasPrefix("\(ownFolder)/") && !CodePlace.isShim(URL(fileURLWithPath: file))
  }

  /// Returns the output of a tool of the toolchain; nil if it is missing or fails.
  package static func output(of tool: String, _ arguments: [String]) -> String? {
    let cArguments = ([tool] + arguments).map { strdup($0) }
    defer { cArguments.forEach { free($0) } }
    guard let output = cpr_run_tool(cArguments + [nil]) else { return nil }
    defer { free(output) }
    return String(cString: output)
  }
}

extension [UInt64] {
  /// The addresses of the calls that return to these addresses.
  ///
  /// A return address comes after its call, and may belong to the next line of code. The app's
  /// process may also log the address 0, which is left out.
  fileprivate var callAddresses: [UInt64] { filter { $0 > 0 }.map { $0 - 1 } }
}

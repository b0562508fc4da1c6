import BackupSourceIndex
import Foundation

/// Advice on the places of an app's code that use storage. Says whether code that saves sets a
/// mark, and names likely mistakes.
struct StorageAdvice {
  /// The calls in each function, by the function's identifier in the index.
  private let calls: [String: [SourceIndex.Occurrence]]
  /// The functions that call each function.
  private let callers: [String: Set<String>]
  /// The functions that set a mark, directly or by a call of another function.
  private let markingFunctions: Set<String>
  /// The lines of each file.
  private let lines: [String: [Substring]]

  init(_ index: SourceIndex) {
    lines = index.linesByFile
    calls = index.callsByCaller
    var callers: [String: Set<String>] = [:]
    for (caller, calls) in calls {
      for call in calls { callers[call.usr, default: []].insert(caller) }
    }
    self.callers = callers
    var unvisited = index.places.filter { $0.use == .mark }.map(\.functionID)
    var markingFunctions = Set(unvisited)
    while let function = unvisited.popLast() {
      for caller in callers[function] ?? [] where markingFunctions.insert(caller).inserted {
        unvisited.append(caller)
      }
    }
    self.markingFunctions = markingFunctions
  }

  private func lineText(_ file: String, _ line: Int) -> Substring {
    guard let lines = lines[file], lines.indices.contains(line - 1) else { return "" }
    return lines[line - 1]
  }

  /// Returns a phrase that says whether the function of a save, or a caller of the function, sets a
  /// mark. Returns nil for a place that saves nothing.
  func markPhrase(at place: StoragePlace) -> String? {
    guard [.save, .move, .copy].contains(place.use) else { return nil }
    if markingFunctions.contains(place.functionID) { return "this function sets a mark" }
    return callers[place.functionID, default: []].isDisjoint(with: markingFunctions)
      ? "neither this function nor one that calls it sets a mark"
      : "a function that calls this one sets a mark"
  }

  /// Returns advice on a likely mistake, or nil if nothing looks wrong.
  func advice(at place: StoragePlace) -> String? {
    let text = lineText(place.file, place.line)
    switch place.use {
    case .save, .move, .copy: return lostMarkAdvice(at: place, text)
    case .path: return Self.storedPathAdvice
    case .defaults where place.api.contains(".set"):
      return text.contains(#/\.path\b|absoluteString/#) ? Self.storedPathAdvice : nil
    case .directory where isBesideStandardDirectories(place, text):
      return "likely: a device refuses files beside Documents, Library and tmp"
    default: return nil
    }
  }

  private func isBesideStandardDirectories(_ place: StoragePlace, _ text: Substring) -> Bool {
    text.contains("deletingLastPathComponent")
      || place.api.contains("omeDirectory") && text.contains(#/\"\/?\w/#)
        && !text.contains(#/Documents|Library|tmp/#)
  }

  private static let storedPathAdvice =
    "likely: a stored path is wrong after an update or a restore; store the name"

  /// Returns advice if the function sets a mark before a save that loses the mark, but sets no mark
  /// after the save.
  private func lostMarkAdvice(at save: StoragePlace, _ text: Substring) -> String? {
    // Only an atomic save or a replacement loses the mark.
    guard save.api.contains("replaceItem") || text.contains(#/\.atomic\b|atomically: true/#) else {
      return nil
    }
    let markCalls = (calls[save.functionID] ?? []).filter {
      markingFunctions.contains($0.usr) || $0.name.hasPrefix("setResourceValue")
    }
    guard !markCalls.contains(where: { $0.line >= save.line }) else { return nil }
    let namesInSave = names(in: text)
    let lostMark = markCalls.last {
      !namesInSave.isDisjoint(with: names(in: self.lineText($0.file, $0.line)))
    }
    return lostMark.map { "likely: this loses the mark of line \($0.line); mark after the save" }
  }

  /// Returns the names of receivers and arguments in a line. Returns none if the line runs later
  /// (`defer`) or leaves the function.
  private func names(in text: Substring) -> Set<Substring> {
    let code = text.split(separator: "//", omittingEmptySubsequences: false)[0]
    guard !code.contains(#/\b(defer|return)\b/#) else { return [] }
    let pattern = #/\b(?!self\b|atomic\b|true\b)([a-z]\w*)(?:[,)]|\.(?!append|delet|path))/#
    return Set(code.matches(of: pattern).map(\.1))
  }
}

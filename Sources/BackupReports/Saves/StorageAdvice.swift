import BackupSourceIndex
import Foundation

/// Advice on the places of an app's code that use storage: on missing marks of saves, and on likely mistakes.
struct StorageAdvice {
  private let calls: [String: [SourceIndex.Occurrence]]
  private let callers: [String: Set<String>]
  /// The functions that set a mark, directly or through a function that they call.
  private let marking: Set<String>
  private let lines: [String: [Substring]]

  init(_ index: SourceIndex) {
    lines = index.lines
    calls = index.callsByCaller
    var callers: [String: Set<String>] = [:]
    for (caller, calls) in calls {
      for call in calls { callers[call.usr, default: []].insert(caller) }
    }
    self.callers = callers
    var unvisited = index.places.filter { $0.use == .mark }.map(\.functionID)
    var marking = Set(unvisited)
    while let function = unvisited.popLast() {
      for caller in callers[function] ?? [] where marking.insert(caller).inserted {
        unvisited.append(caller)
      }
    }
    self.marking = marking
  }

  private func text(_ file: String, _ line: Int) -> Substring {
    guard let lines = lines[file], lines.indices.contains(line - 1) else { return "" }
    return lines[line - 1]
  }

  /// Returns a phrase on whether the function of a save or one that calls it sets a mark; nil for other places.
  func mark(at place: StoragePlace) -> String? {
    guard [.save, .move, .copy].contains(place.use) else { return nil }
    if marking.contains(place.functionID) { return "this function sets a mark" }
    return callers[place.functionID, default: []].isDisjoint(with: marking)
      ? "neither this function nor one that calls it sets a mark"
      : "a function that calls this one sets a mark"
  }

  /// Returns advice on a likely mistake; nil if nothing looks wrong.
  func advice(at place: StoragePlace) -> String? {
    let text = text(place.file, place.line)
    switch place.use {
    case .save, .move, .copy: return lostMark(at: place, text)
    case .path: return Self.storedPath
    case .defaults where place.api.contains(".set"):
      return text.contains(#/\.path\b|absoluteString/#) ? Self.storedPath : nil
    case .directory where isBeside(place, text):
      return "likely: a device refuses files beside Documents, Library and tmp"
    default: return nil
    }
  }

  private func isBeside(_ place: StoragePlace, _ text: Substring) -> Bool {
    text.contains("deletingLastPathComponent")
      || place.api.contains("omeDirectory") && text.contains(#/\"\/?\w/#)
        && !text.contains(#/Documents|Library|tmp/#)
  }

  private static let storedPath =
    "likely: a stored path is wrong after an update or a restore; store the name"

  /// Returns advice on a mark that the function of a save sets before the save, on a file that the save names; nil if
  /// the function sets a mark after the save.
  private func lostMark(at save: StoragePlace, _ text: Substring) -> String? {
    // Other saves write in place, or keep the mark.
    guard save.api.contains("replaceItem") || text.contains(#/\.atomic\b|atomically: true/#) else {
      return nil
    }
    let marks = (calls[save.functionID] ?? []).filter {
      marking.contains($0.usr) || $0.name.hasPrefix("setResourceValue")
    }
    guard !marks.contains(where: { $0.line >= save.line }) else { return nil }
    let words = words(of: text)
    let lost = marks.last { !words.isDisjoint(with: self.words(of: self.text($0.file, $0.line))) }
    return lost.map { "likely: this loses the mark of line \($0.line); mark after the save" }
  }

  /// Returns the names of receivers and arguments in a line; none if the line runs later, or leaves the function.
  private func words(of text: Substring) -> Set<Substring> {
    let code = text.split(separator: "//", omittingEmptySubsequences: false)[0]
    guard !code.contains(#/\b(defer|return)\b/#) else { return [] }
    let names = #/\b(?!self\b|atomic\b|true\b)([a-z]\w*)(?:[,)]|\.(?!append|delet|path))/#
    return Set(code.matches(of: names).map(\.1))
  }
}

import BackupSourceIndex
import Foundation

/// What may be wrong at places that use storage, by the look of the code.
struct StorageAdvice {
  private let calls: [String: [SourceIndex.Occurrence]]
  /// By function, those that call it.
  private let callers: [String: Set<String>]
  /// The functions that set a mark, or ask for a directory that iOS empties, or call one that does.
  private let marking: Set<String>
  private let caching: Set<String>
  private let lines: [String: [Substring]]

  init(_ index: SourceIndex) {
    let lines = index.lines
    self.lines = lines
    calls = index.calls
    var callers: [String: Set<String>] = [:]
    for (caller, calls) in calls {
      for call in calls { callers[call.usr, default: []].insert(caller) }
    }
    func reaching(_ isWanted: (StoragePlace) -> Bool) -> Set<String> {
      var rest = index.places.filter(isWanted).map(\.functionID)
      var found = Set(rest)
      while let function = rest.popLast() {
        for caller in callers[function] ?? [] where found.insert(caller).inserted {
          rest.append(caller)
        }
      }
      return found
    }
    marking = reaching { $0.use == .mark }
    caching = reaching { place in
      let line = lines[place.file]?.dropFirst(place.line - 1).first ?? ""
      return place.use == .directory && "\(place.api) \(line)".contains(#/[cC]aches|[tT]emporary/#)
    }
    self.callers = callers
  }

  private func text(_ file: String, _ line: Int) -> Substring {
    guard let lines = lines[file], lines.indices.contains(line - 1) else { return "" }
    return lines[line - 1]
  }

  /// Nil if nothing looks wrong.
  func advice(at place: StoragePlace) -> String? {
    let text = text(place.file, place.line)
    switch place.use {
    case .save, .move, .copy:
      return lostMark(at: place, text) ?? databaseFiles(at: place) ?? missingMark(at: place)
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

  /// Finds a mark above the save, in its function, of what the save names; nil if a mark is below.
  private func lostMark(at save: StoragePlace, _ text: Substring) -> String? {
    // Other saves write in place, or take the mark with them.
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

  /// What a line names as receivers and arguments; nothing if it runs later, or leaves the function.
  private func words(of text: Substring) -> Set<Substring> {
    let code = text.split(separator: "//", omittingEmptySubsequences: false)[0]
    guard !code.contains(#/\b(defer|return)\b/#) else { return [] }
    let names = #/\b(?!self\b|atomic\b|true\b)([a-z]\w*)(?:[,)]|\.(?!append|delet|path))/#
    return Set(code.matches(of: names).map(\.1))
  }

  private func databaseFiles(at save: StoragePlace) -> String? {
    guard save.api.contains(#/PersistentStore|^sqlite3|^Database/#),
      marking.contains(save.functionID)
    else { return nil }
    return "perhaps: the files -wal and -shm need the mark too; mark the database's folder"
  }

  /// Words in the names of files and functions that save what can be downloaded or made again.
  private static let words = [
    "download", "offline", "movie", "video", "audio", "media", "thumb", "icon", "image",
    "artwork", "poster", "cover", "stream", "episode", "remote", "fetch", "sync",
  ]

  private func missingMark(at save: StoragePlace) -> String? {
    var near: Set<String> = [save.functionID]
    for _ in 0..<2 { near.formUnion(near.flatMap { callers[$0] ?? [] }) }
    let name = "\(save.file.split(separator: "/").last ?? "") \(save.function)".lowercased()
    guard Self.words.contains(where: name.contains), near.isDisjoint(with: marking),
      near.isDisjoint(with: caching)
    else { return nil }
    return
      "perhaps: what can be downloaded again needs the mark, but none is set here or by a caller"
  }
}

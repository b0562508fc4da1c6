package import BackupDiagnostics
import BackupVerdicts
import CIndexStore
import Foundation

/// A place in an app's source that uses storage.
package struct StoragePlace: Encodable, Hashable, Sendable {
  package let use: StorageUse
  /// As in `FileManager.moveItem(at:to:)`.
  package let api: String
  /// As in `MovieStore.keep(_:as:)`; empty outside of functions and properties.
  package let function: String
  /// Relative to the working directory, or absolute.
  package let file: String
  package let line: Int
  /// From 1, in bytes.
  package let column: Int
  /// What may be wrong here, by the look of the code; nil for nothing.
  package var advice: String?
}

/// What a compiler's index says of an app's own sources: where they use storage.
package struct SourceIndex: Sendable {
  /// In the order of files and lines.
  package private(set) var places: [StoragePlace] = []
  /// The files that were changed after the compiler had read them.
  package private(set) var changedFiles: [String] = []

  /// Reads an index with the toolchain's library.
  ///
  /// - Parameters:
  ///   - store: The path of the folder that has the folder `v5`.
  ///   - library: The path of libIndexStore.
  ///   - folder: The path of the app's sources. Files in its hidden folders, in folders whose names
  ///     end in `Tests`, and in those of CocoaPods and Carthage are not the app's.
  /// - Throws: `RunError.Code.unreadable` if there is no such index, or if none of these files is in it.
  package init(store: String, library: String, folder: String) throws(RunError) {
    let newest = IndexReader(folder)
    let obstacle = newest.read(store, with: library)
    let reader = IndexReader(folder, newest: newest.sources)
    if let obstacle = obstacle ?? reader.read(store, with: library) {
      throw RunError(.unreadable, "\(store): the index cannot be read by \(library): \(obstacle)")
    }
    guard !reader.sources.isEmpty else {
      throw RunError(
        .unreadable,
        "\(store): no source file of \(reader.root) is in the index; build the app there, and try "
          + "again")
    }
    changedFiles = reader.changedFiles.sorted()
    places = reader.symbols.places
  }

  /// The path of the library in the toolchain that has `swift`, whether it is there or not; nil if
  /// there is no `swift`.
  package static var usualLibrary: String? {
    let output = Toolchain.output(of: "swift", ["-print-target-info"]) ?? ""
    let info = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let paths = info?["paths"] as? [String: Any]
    guard let folder = paths?["runtimeResourcePath"] as? String else { return nil }
    let name = String(cString: cis_library_name())
    return URL(fileURLWithPath: folder).deletingLastPathComponent().appending(path: name).path
  }
}

/// Takes what the library reads.
private final class IndexReader {
  /// When the compiler read each file; an index may have several readings of one.
  private(set) var sources: [String: Int64] = [:]
  private(set) var changedFiles: [String] = []
  private(set) var symbols = SourceSymbols()
  let root: String
  private let newest: [String: Int64]?
  private var file = ""
  private var isShim = false

  /// Makes a reader that only looks for the newest reading of each file, or with these one that takes
  /// what is in them.
  init(_ folder: String, newest: [String: Int64]? = nil) {
    self.root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path + "/"
    self.newest = newest
  }

  /// Returns why the index cannot be read; nil if it was.
  func read(_ store: String, with library: String) -> String? {
    var receiver = cis_receiver(
      context: Unmanaged.passUnretained(self).toOpaque(),
      begin: { context, source in
        guard let context, let source else { return false }
        return Unmanaged<IndexReader>.fromOpaque(context).takeUnretainedValue()
          .begin(source.pointee)
      },
      take: { context, occurrence in
        guard let context, let occurrence else { return }
        Unmanaged<IndexReader>.fromOpaque(context).takeUnretainedValue().take(occurrence.pointee)
      })
    guard let obstacle = cis_read(library, store, &receiver) else { return nil }
    defer { free(obstacle) }
    return String(cString: obstacle)
  }

  /// Returns whether what is in a file is to be read.
  private func begin(_ source: cis_source) -> Bool {
    let folder = URL(fileURLWithPath: String(source.folder), isDirectory: true)
    let url = URL(fileURLWithPath: String(source.file), relativeTo: folder)
      .resolvingSymlinksInPath()
    guard url.path.hasPrefix(root) else { return false }
    let folders = url.path.dropFirst(root.count).split(separator: "/").dropLast()
    let isForeign = folders.contains {
      $0.hasPrefix(".") || $0.hasSuffix("Tests") || ["Pods", "Carthage"].contains($0)
    }
    let values = try? url.resourceValues(forKeys: [.contentModificationDateKey])
    guard !isForeign, let changed = values?.contentModificationDate else { return false }
    file = url.path.inWorkingDirectory
    guard let newest else {
      sources[file] = max(source.seconds, sources[file] ?? 0)
      return false
    }
    guard newest[file] == source.seconds, sources[file] == nil else { return false }
    sources[file] = source.seconds
    isShim = CodePlace.isShim(url)
    if changed.timeIntervalSince1970 > Double(source.seconds) + 1 { changedFiles.append(file) }
    return true
  }

  private func take(_ occurrence: cis_occurrence) {
    let symbol = SourceSymbols.Occurrence(occurrence, in: file)
    if occurrence.is_definition {
      symbols.define(symbol, isShim: isShim)
    } else if occurrence.is_reference, !isShim {
      symbols.use(symbol, isCall: occurrence.is_call)
    } else if occurrence.requirement_usr.length > 0 {
      symbols.meet(String(occurrence.requirement_usr), by: symbol)
    }
  }
}

extension SourceSymbols.Occurrence {
  fileprivate init(_ occurrence: cis_occurrence, in file: String) {
    self.init(
      name: String(occurrence.name), usr: String(occurrence.usr),
      container: String(occurrence.container_usr), isAssignment: occurrence.is_assignment,
      file: file, line: Int(occurrence.line), column: Int(occurrence.column))
  }
}

extension String {
  fileprivate init(_ text: cis_text) {
    let bytes = UnsafeRawBufferPointer(start: text.start, count: text.length)
    self.init(decoding: bytes, as: UTF8.self)
  }
}

import BackupContainer
import BackupDiagnostics
import Foundation

/// Says when and from which commit a report was made, for later readers.
package struct ReportOrigin: Codable, Hashable, Sendable {
  /// The time of the report, in the form of ISO 8601.
  package let time: String
  /// The hash of the commit that is checked out in the working directory; nil if it is unknown.
  package let commit: String?
  /// The name of the Swift package in the working directory; nil if there is none.
  package let packageName: String?
  /// The version of the kit.
  package let kit: String

  private enum CodingKeys: String, CodingKey {
    case time, commit, kit
    case packageName = "package"
  }

  /// Returns the origin of a report that this process writes now.
  ///
  /// If `SOURCE_DATE_EPOCH` is set to a number of seconds since 1970, the origin has this time, so
  /// that the same report can be made again.
  package static func current(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> ReportOrigin {
    let fixedSeconds = environment["SOURCE_DATE_EPOCH"].flatMap(Int.init)
    let fixedDate = fixedSeconds.flatMap { (0...latestTime).contains($0) ? $0 : nil }
      .map { Date(timeIntervalSince1970: TimeInterval($0)) }
    let commitsOfCI = ["GITHUB_SHA", "CI_COMMIT_SHA"].lazy.compactMap { environment[$0]?.asCommit }
    return ReportOrigin(
      time: (fixedDate ?? Date()).formatted(.iso8601),
      commit: Repository.commit ?? commitsOfCI.first,
      packageName: nameOfPackage, kit: Kit.version)
  }

  /// The last second of the year 9999.
  private static let latestTime = 253_402_300_799

  /// Returns the common origin of the parts of a report: the earliest time, and the values that all
  /// parts share.
  ///
  /// Returns nil if a part has no origin, or if the versions of the kit differ.
  package static func common(to parts: [ReportOrigin?]) -> ReportOrigin? {
    let origins = parts.compactMap(\.self)
    guard origins.count == parts.count, let earliest = origins.min(by: { $0.time < $1.time }),
      origins.allSatisfy({ $0.kit == earliest.kit })
    else { return nil }
    return ReportOrigin(
      time: earliest.time,
      commit: origins.allSatisfy { $0.commit == earliest.commit } ? earliest.commit : nil,
      packageName: origins.allSatisfy { $0.packageName == earliest.packageName }
        ? earliest.packageName : nil,
      kit: earliest.kit)
  }

  private static var nameOfPackage: String? {
    let manifest = SmallFile.text(at: "Package.swift", upTo: 1_000_000)
    let name = manifest?.firstMatch(of: /\bPackage\(\s*name:\s*"([^"\\]{1,100})"/)?.output.1
    return name.map(String.init)
  }
}

extension String {
  /// The text if it is the hash of a commit, which has 40 or 64 hexadecimal digits; otherwise nil.
  fileprivate var asCommit: String? {
    [40, 64].contains(utf8.count) && utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      ? self : nil
  }
}

/// Reads the Git repository of the working directory without running Git.
private enum Repository {
  /// The most folders above the working directory in which the kit looks for `.git`.
  private static let maximumFolderCount = 64
  /// The most bytes of the file `packed-refs`.
  private static let maximumPackedRefsSize = 20_000_000

  /// The commit that is checked out in the working directory; nil if there is none, or if Git keeps
  /// it in a form that the kit does not read.
  static var commit: String? {
    guard var folder = TextFile.realPath(of: ".") else { return nil }
    for _ in 0..<maximumFolderCount {
      let gitPath = "\(folder == "/" ? "" : folder)/.git"
      switch FileKind(at: gitPath, followingLinks: false) {
      case .folder: return commit(in: gitPath)
      case .file:
        // In a work tree and in a submodule, `.git` is a file with the path of the repository.
        let line = SmallFile.text(at: gitPath)
        return line.flatMap { $0.hasPrefix("gitdir: ") ? $0.dropFirst("gitdir: ".count) : nil }
          .flatMap { commit(in: absolutePath(String($0), from: folder)) }
      default: break
      }
      guard folder != "/" else { return nil }
      folder = (folder as NSString).deletingLastPathComponent
    }
    return nil
  }

  private static func commit(in repository: String) -> String? {
    guard let head = SmallFile.text(at: "\(repository)/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head.asCommit }
    let refName = String(head.dropFirst("ref: ".count))
    let parts = refName.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.first == "refs", !parts.contains("..") else { return nil }
    // A work tree shares the refs of its main repository, whose path is in `commondir`.
    let sharedRepository = SmallFile.text(at: "\(repository)/commondir").map {
      absolutePath($0, from: repository)
    }
    for folder in [repository, sharedRepository].compactMap(\.self) {
      if let commit = SmallFile.text(at: "\(folder)/\(refName)")?.asCommit { return commit }
      let packedRefs =
        SmallFile.text(at: "\(folder)/packed-refs", upTo: maximumPackedRefsSize) ?? ""
      let line = packedRefs.split(separator: "\n").first { $0.hasSuffix(" \(refName)") }
      if let line { return String(line.dropLast(refName.count + 1)).asCommit }
    }
    return nil
  }

  private static func absolutePath(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }
}

private enum SmallFile {
  /// Returns the text of a file without white space at its ends; nil if the file cannot be read.
  ///
  /// A file that cannot be read is no error, because the report then only has fewer values.
  static func text(at path: String, upTo count: Int = 4096) -> String? {
    let bytes = try? RegularFile.bytes(at: path, upTo: count, followingLinks: false)
    return bytes.map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
}

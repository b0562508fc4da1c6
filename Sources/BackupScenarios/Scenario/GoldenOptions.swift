import BackupDiagnostics
package import BackupFileTree

/// The options of a scenario's golden file, for names and sizes that vary between runs.
package struct GoldenOptions: Sendable {
  /// The patterns of items whose name varies, each with the form of the name. The first pattern
  /// that matches decides.
  package var nameForms: [(pattern: PathPattern, form: NameForm)] = []
  var sizePolicy = SizePolicy.compared(except: [])
  package var comparesRun = true

  /// The beginning of the name of a temporary file that Foundation creates in an atomic save. The
  /// end varies.
  private static let temporaryNamePrefix: StaticString = ".dat.nosync"

  package init() {}

  /// Returns an item's path for a golden file, with forms in place of names that vary. Control
  /// characters are not yet escaped.
  package func pathBytes(of path: ContainerPath, isDirectory: Bool = false) -> [UInt8] {
    let isTemporary = !isDirectory && path.name.hasPrefix(Self.temporaryNamePrefix)
    if nameForms.isEmpty, !isTemporary { return path.bytes }
    var parentPath: ContainerPath?
    let writtenNames = path.components.map { component in
      let currentPath = ContainerPath(component, in: parentPath)
      parentPath = currentPath
      return nameBytes(of: currentPath, isTemporary: isTemporary && currentPath == path)
    }
    return Array(writtenNames.joined(separator: [ContainerPath.separator]))
  }

  /// Returns an item's path for a golden file, with control characters escaped.
  package func escapedPath(of path: ContainerPath, isDirectory: Bool = false) -> String {
    EscapedText.escape(pathBytes(of: path, isDirectory: isDirectory))
  }

  /// Returns the last component of an item's path for a golden file.
  private func nameBytes(of path: ContainerPath, isTemporary: Bool) -> [UInt8] {
    let name = path.name
    let entry = nameForms.first { $0.pattern.matches(path) && $0.form.matches(name) }
    if let entry { return Array(entry.form.text.utf8) }
    return isTemporary ? Array("\(Self.temporaryNamePrefix){any}".utf8) : name.bytes
  }

  /// Returns the options without the sizes of items that match these patterns.
  func leavingOutSizes(of patterns: [PathPattern]) -> GoldenOptions {
    guard case .compared(let exceptions) = sizePolicy else { return self }
    var options = self
    options.sizePolicy = .compared(except: exceptions.patterns + patterns)
    return options
  }

  package func comparesSize(of path: ContainerPath) -> Bool {
    guard case .compared(let exceptions) = sizePolicy else { return false }
    return exceptions.firstIndex(matching: path) == nil
  }

  /// Returns true if a golden file contains the size of every file in `tree` at or below `path`.
  package func comparesSizes(in tree: FileTree, at path: ContainerPath) -> Bool {
    guard case .compared(let exceptions) = sizePolicy else { return false }
    guard !exceptions.patterns.isEmpty else { return true }
    return tree[path]?.firstPath(at: path) { $1.size != nil && !comparesSize(of: $0) } == nil
  }
}

/// The items whose sizes a golden file contains.
enum SizePolicy: Sendable {
  /// All items except those that match the patterns.
  case compared(except: PatternIndex)
  case noSizes

  static func compared(except patterns: [PathPattern]) -> SizePolicy {
    .compared(except: PatternIndex(patterns))
  }
}

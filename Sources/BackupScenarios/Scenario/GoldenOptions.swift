import BackupDiagnostics
package import BackupFileTree

/// What a scenario's golden file says if names or sizes vary between runs.
package struct GoldenOptions: Sendable {
  /// The paths whose last name varies, each with its form; the first that fits decides.
  package var names: [(pattern: PathPattern, form: NameForm)] = []
  var sizes = SizePolicy.compared(except: [])
  package var isCompared = true

  /// What Foundation's atomic saves call their temporary files, which have another end each time.
  private static let temporaryName: StaticString = ".dat.nosync"

  package init() {}

  /// An item's path as a golden file has it, before control characters are escaped: with the forms
  /// of names that vary in their places.
  package func bytes(of path: ContainerPath, isDirectory: Bool = false) -> [UInt8] {
    let isTemporary = !isDirectory && path.name.hasPrefix(Self.temporaryName)
    if names.isEmpty, !isTemporary { return path.bytes }
    var prefix: ContainerPath?
    let written = path.components.map { component in
      let place = ContainerPath(component, in: prefix)
      prefix = place
      return name(of: place, isTemporary: isTemporary && place == path)
    }
    return Array(written.joined(separator: [ContainerPath.separator]))
  }

  /// The same on one line, as a golden file has it.
  package func name(of path: ContainerPath, isDirectory: Bool = false) -> String {
    EscapedText.escape(bytes(of: path, isDirectory: isDirectory))
  }

  /// The last name of a path as a golden file has it.
  private func name(of path: ContainerPath, isTemporary: Bool) -> [UInt8] {
    let name = path.name
    let form = names.first { $0.pattern.matches(path) && $0.form.matches(name) }
    if let form { return Array(form.form.text.utf8) }
    return isTemporary ? Array("\(Self.temporaryName){any}".utf8) : name.bytes
  }

  /// The same without the sizes of what patterns match.
  func leavingOutSizes(of patterns: [PathPattern]) -> GoldenOptions {
    guard case .compared(let exceptions) = sizes else { return self }
    var options = self
    options.sizes = .compared(except: exceptions.patterns + patterns)
    return options
  }

  package func comparesSize(of path: ContainerPath) -> Bool {
    guard case .compared(let exceptions) = sizes else { return false }
    return exceptions.firstIndex(matching: path) == nil
  }

  /// Whether a golden file says the size of all in a tree.
  package func comparesSizes(in tree: FileTree, at path: ContainerPath) -> Bool {
    guard case .compared(let exceptions) = sizes else { return false }
    guard !exceptions.patterns.isEmpty else { return true }
    return tree[path]?.firstPath(at: path) { $1.size != nil && !comparesSize(of: $0) } == nil
  }
}

/// The items whose size a golden file says.
enum SizePolicy: Sendable {
  /// All but those that patterns match.
  case compared(except: PatternIndex)
  case leftOut

  static func compared(except patterns: [PathPattern]) -> SizePolicy {
    .compared(except: PatternIndex(patterns))
  }
}

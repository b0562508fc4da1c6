import BackupFileTree

extension Mutant {
  /// Operations with a wrong effect on files.
  static let fileOperations: [Mutant] = acceptances + effects

  /// Operations that must fail, but do not.
  private static let acceptances: [Mutant] = [
    .operation("move over what is there accepted", near: ["moves/"]) { operation, _, _, standard in
      guard case .move(let source, to: let path, false) = operation else {
        return try standard(operation)
      }
      try standard(.move(source, to: path, replacing: true))
    },
    .operation("copy over what is there accepted", near: ["moves/"]) {
      operation, _, before, standard in
      if case .copy(_, to: let path) = operation, before.contains(path) {
        try standard(.remove(path))
      }
      try standard(operation)
    },
    .operation("missing parent made", near: ["layout/application-support-created-first"]) {
      operation, _, _, standard in
      if case .write(let path, _, method: _) = operation, let parent = path.parent {
        try standard(.createDirectory(parent, intermediates: true))
      }
      try standard(operation)
    },
    .operation("intermediate directories always made", near: ["directories/"]) {
      operation, _, _, standard in
      guard case .createDirectory(let path, false) = operation else {
        return try standard(operation)
      }
      try standard(.createDirectory(path, intermediates: true))
    },
    .operation("intermediate directories never made", near: ["directories/"]) {
      operation, _, before, standard in
      guard case .createDirectory(let path, true) = operation, !before.contains(path) else {
        return try standard(operation)
      }
      try standard(.createDirectory(path, intermediates: false))
    },
    .operation("append to nothing accepted", near: ["saving/"]) { operation, _, before, standard in
      guard case .append(let path, let contents) = operation, !before.contains(path) else {
        return try standard(operation)
      }
      try standard(.write(path, contents, method: .inPlace))
    },
    .operation("removal of nothing accepted", near: ["moves/removed-twice"]) {
      operation, _, before, standard in
      if case .remove(let path) = operation, !before.contains(path) { return }
      try standard(operation)
    },
  ]

  /// Operations that do something wrong.
  private static let effects: [Mutant] = [
    .operation("move leaves the source") { operation, _, before, standard in
      guard case .move(let source, to: let path, _) = operation, !before.contains(path) else {
        return try standard(operation)
      }
      try standard(.copy(source, to: path))
    },
    .operation("copy takes the source away") { operation, _, _, standard in
      guard case .copy(let source, to: let path) = operation else { return try standard(operation) }
      try standard(.move(source, to: path, replacing: false))
    },
    .operation("append writes anew", near: ["classes/critical-in-application-support"]) {
      operation, _, before, standard in
      guard case .append(let path, let contents) = operation, before.contains(path) else {
        return try standard(operation)
      }
      try standard(.write(path, contents, method: .inPlace))
    },
    .operation("link is a copy", near: ["backups/link-stored-as-link"]) {
      operation, _, before, standard in
      guard case .link(let path, let destination) = operation, before.contains(destination) else {
        return try standard(operation)
      }
      try standard(.copy(destination, to: path))
    },
  ]
}

/// Answers questions on Foundation, a line each: `name: answer`. Its argument is a folder.

import Foundation

let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let markName = "com.apple.metadata:com_apple_backup_excludeItem"

/// The names of an item's extended attributes.
func attributes(of url: URL) -> String {
  #if os(Linux)
  return "unknown on Linux"
  #else
  let size = listxattr(url.path, nil, 0, XATTR_NOFOLLOW)
  guard size > 0 else { return "none" }
  var bytes = [CChar](repeating: 0, count: size)
  listxattr(url.path, &bytes, size, XATTR_NOFOLLOW)
  let names = bytes.map { UInt8(bitPattern: $0) }.split(separator: 0)
  return names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  #endif
}

/// Sets an extended attribute, or reads it.
func setAttribute(_ name: String, _ value: [UInt8], of url: URL) {
  #if !os(Linux)
  _ = setxattr(url.path, name, value, value.count, 0, XATTR_NOFOLLOW)
  #endif
}

func attribute(_ name: String, of url: URL) -> [UInt8] {
  #if os(Linux)
  return []
  #else
  var bytes = [UInt8](repeating: 0, count: 256)
  let size = getxattr(url.path, name, &bytes, bytes.count, 0, XATTR_NOFOLLOW)
  return Array(bytes.prefix(max(0, size)))
  #endif
}

/// A new file, by a URL that has read nothing yet.
func makeFile(_ name: String, in folder: URL) throws -> URL {
  let url = folder.appendingPathComponent("first-mac-\(name)-\(UUID().uuidString)")
  try Data("first".utf8).write(to: url)
  return url
}

func isExcluded(_ url: URL) -> String {
  let fresh = URL(fileURLWithPath: url.path)
  let values = try? fresh.resourceValues(forKeys: [.isExcludedFromBackupKey])
  return values?.isExcludedFromBackup.map { "\($0)" } ?? "nil"
}

func exclude(_ url: URL) throws {
  var values = URLResourceValues()
  values.isExcludedFromBackup = true
  var url = URL(fileURLWithPath: url.path)
  try url.setResourceValues(values)
}

let own = try makeFile("getter", in: folder)
let temporary = try makeFile("getter", in: FileManager.default.temporaryDirectory)
print(
  "getter: without a mark \(isExcluded(own)) in this folder, \(isExcluded(temporary)) in the "
    + "temporary folder; attributes of a new file: \(attributes(of: own))")
try FileManager.default.removeItem(at: temporary)

try exclude(own)
let value = attribute(markName, of: own)
setAttribute(markName, [1], of: own)
try exclude(own)
let again = attribute(markName, of: own) == value ? "written again" : "left as it was"
print(
  "setter: sets \(attributes(of: own)), \(value.count) bytes "
    + "\(Data(value).base64EncodedString()); a mark that is there is \(again)")

var kept = own
_ = try kept.resourceValues(forKeys: [.isExcludedFromBackupKey])
try Data("second".utf8).write(to: own, options: .atomic)
let cached = try kept.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
_ = RunLoop.main.run(mode: .default, before: Date())
let turned = try kept.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
print(
  "cache: after an atomic save the same URL says \(cached.map { "\($0)" } ?? "nil"), and when the main "
    + "run loop has turned \(turned.map { "\($0)" } ?? "nil"); a new URL says \(isExcluded(own))")

for (name, save) in [
  ("atomic-save", { (url: URL) in try Data("new".utf8).write(to: url, options: .atomic) }),
  (
    "replaceItemAt",
    { url in
      _ = try FileManager.default.replaceItemAt(url, withItemAt: try makeFile("new", in: folder))
    }
  ),
] {
  let url = try makeFile(name, in: folder)
  setAttribute("com.example.first-mac", [1], of: url)
  try exclude(url)
  do {
    try save(url)
    print("\(name): keeps \(attributes(of: url))")
  } catch {
    print("\(name): fails with \((error as NSError).domain) \((error as NSError).code)")
  }
}

func report(_ name: String, of environment: [String: String]) {
  let names = environment.filter { $0.key != "PATH" }.keys.sorted().joined(separator: " ")
  print("\(name): with \(names) it is \(NSTemporaryDirectory())")
}
report(
  "temporary-folder",
  of: ProcessInfo.processInfo.environment.filter { ["TMPDIR", "HOME"].contains($0.key) })

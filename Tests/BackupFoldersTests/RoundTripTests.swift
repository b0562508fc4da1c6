import BackupContainer
import BackupDevice
import BackupFileTree
import BackupReports
import BackupScenarios
import BackupVerdicts
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupFolders

/// The kit reads the backup folders that it writes.
@Suite struct RoundTripTests {
  /// Scenarios with links, odd names, databases, marks, groups and extensions.
  static let scenarios = [
    "backups/link-stored-as-link", "containers/group-and-extension",
    "containers/group-marked-whole", "directories/database-stored-whole", "directories/empty",
    "directories/lock-of-a-marked-realm", "directories/nested-marks", "marks/directory",
    "names/control-characters", "names/odd-characters", "names/save-remnants",
    "names/system-managed",
  ]

  @Test(arguments: scenarios)
  func `a folder has no difference from the scenario's own container`(id: String) async throws {
    let folder = try #require(try ScenarioFolder(path: Checkout.scenarioFolder).selecting(id))
    let backup = try await ExportedBackup(of: try folder.scenarios()[0])
    let comparison = try backup.comparison()
    #expect(comparison.isClean, "\(comparison.text)")
    #expect(comparison.agreeingItemCount > 0)
    #expect(comparison.contents.records.count == comparison.agreeingItemCount)
  }

  @Test func `the folder has the contents of files and the targets of links`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario(), readingContents: true)
    let contents = try BackupFolder(at: backup.device).contents(of: backup.domains, app: backup.app)
    let files = contents.records.filter { $0.value.isFile }
    #expect(files.count == 7)
    for path in files.keys {
      let domain = BackupDomain(path.containerName, of: backup.app)
      let name = domain.fileID(of: BackupDomain.relativePath(of: path))
      let file = URL(fileURLWithPath: "\(backup.device)/\(name.prefix(2))/\(name)")
      #expect(Array(try Data(contentsOf: file)) == backup.bytes[path])
    }
    let link = try ContainerPath("Documents/Previews")
    #expect(contents.records[link]?.kind == .link(target: Array("../Library/Caches".utf8)))
  }

  @Test func `an extension is found by its bundle, and a group has any identifier`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let manifest = "\(backup.device)/Manifest.db"
    let (widget, group, ownGroup) = (
      BackupDomain(ContainerPath.Component(containerOf: "org.example.widget"), of: backup.app),
      BackupDomain(group: "A1B2C3.shared"), BackupDomain(group: "\(backup.app).shared")
    )
    #expect(group.name == "AppDomainGroup-A1B2C3.shared")
    for domain in [widget, group, ownGroup] {
      try ManifestEditing.add(BackupRecord(.directory), at: "", in: domain, of: manifest)
    }
    let url = URL(fileURLWithPath: "\(backup.device)/Manifest.plist")
    guard var list = BinaryPropertyList.read(Array(try Data(contentsOf: url))),
      case .dictionary(var members) = list, case .dictionary(var apps)? = members["Applications"]
    else { throw TestError("there is no list of apps") }
    let bundle = try #require(apps[backup.app]?["Path"]?.string)
    apps["org.example.widget"] = .dictionary([
      "ContainerContentClass": .string("Data/PluginKitPlugin"),
      "Path": .string("\(bundle)/PlugIns/Widget.appex"),
    ])
    members["Applications"] = .dictionary(apps)
    list = .dictionary(members)
    try Data(list.binaryBytes).write(to: url)
    let folder = try BackupFolder(at: backup.device)
    #expect(folder.apps == [backup.app])
    let found = try folder.contents(of: [backup.domains[0]], app: backup.app)
    #expect(found.domains == Set(backup.domains + [widget, ownGroup]))
    #expect(found.faults.isEmpty)
    #expect(found.otherGroups == ["A1B2C3.shared"])
    #expect(try folder.contents(of: [group], app: backup.app).domains.contains(group))
    // A container that the scenario does not name is an error.
    let error = #expect(throws: BackupFolderError.self) {
      try folder.restorableContents(backup.domains + [ownGroup], app: backup.app)
    }
    #expect(
      error?.reason
        == "the backup contains AppDomainPlugin-org.example.widget, which would not be "
        + "restored; add it to the app's groups or extensions")
  }

  @Test func `the error of a failed copy names the target folder, which is not created`() throws {
    let parent = try TestFolder(["taken": "1"])
    let container = try FakeContainer(in: parent.url("."))
    defer { try? container.remove() }
    let path = try ContainerPath("Documents/a")
    try container.apply(.write(path, .zeros(7), method: .inPlace))
    let tree = try container.scan()
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile, backups: .local).backUp(tree)
    let target = parent.url("out").path
    let error = #expect(throws: BackupFolderError.self) {
      _ = try SimulatedBackup(set, of: tree, app: "com.example.app").write(
        of: BackupOrigin(
          app: "com.example.app", appVersion: "1", system: profile.version, seed: "a", date: 0),
        to: target
      ) { path, _ in try container.copyFile(path, to: parent.url("taken")) }
    }
    #expect(
      error?.description
        == "\(target): cannot be written: Documents/a: cannot be copied: file exists")
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func `the folder has the permissions and the dates that the app gave a file`()
    async throws
  {
    let scenario = try Trial.scenario([
      "{ save: 'Documents/a', size: 1 }", "{ save: 'Documents/b', size: 1 }", "{ perform: 'set' }",
      "{ link: 'Documents/c', to: 'Documents/a' }", "{ backup: 'x' }",
    ])
    var actions = AppActions()
    actions.bind("set") { action in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1_000_000_007)],
        ofItemAtPath: action.container.documents.appendingPathComponent("a").path)
    }
    let start = Int64(Date().timeIntervalSince1970)
    let backup = try await ExportedBackup(of: scenario, actions: actions)
    func object(_ path: String) throws -> PropertyList {
      let bytes = try ManifestEditing.description(of: path, in: "\(backup.device)/Manifest.db")
      guard case .array(let objects)? = BinaryPropertyList.read(bytes)?["$objects"] else {
        throw TestError("no objects")
      }
      return objects[1]
    }
    let changedFile = try object("Documents/a")
    #expect(changedFile["Mode"] == .integer(0o100640))
    #expect(changedFile["LastModified"] == .integer(1_000_000_007))
    #expect(changedFile["Birth"] == .integer(1_000_000_007))
    #expect(try #require(changedFile["LastStatusChange"]?.integer) >= start)
    let otherFile = try object("Documents/b")
    #expect(otherFile["Mode"] != changedFile["Mode"])
    #expect(try #require(otherFile["LastModified"]?.integer) >= start)
    #expect(try object("Documents/c")["Mode"] == .integer(0o120755))
  }

  @Test func `the folder names groups and extensions, but only the app is suggested`()
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let list = try PropertyList.read(at: "\(backup.device)/Manifest.plist")
    guard case .dictionary(let entries)? = list["Applications"] else {
      throw TestError("no applications")
    }
    #expect(
      entries.mapValues { $0["ContainerContentClass"]?.string } == [
        "com.example.app": "Data/Application", "com.example.app.widget": "Data/PluginKitPlugin",
        "group.com.example.app": "Shared/AppGroup",
      ])
    let bundle = try #require(entries["com.example.app"]?["Path"]?.string)
    #expect(
      entries["com.example.app.widget"]?["Path"]?.string
        == "\(bundle)/PlugIns/com.example.app.widget.appex")
    #expect(entries["group.com.example.app"]?["Path"] == nil)
    #expect(try BackupFolder(at: backup.device).apps == ["com.example.app"])
  }

  @Test func `an ignored mark is stored as an attribute`() async throws {
    let scenario = try Trial.scenario(
      [
        "{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }", "{ backup: 'x' }",
      ], "guidance: 'ignored'")
    let backup = try await ExportedBackup(of: scenario)
    let contents = try BackupFolder(at: backup.device).contents(of: backup.domains, app: backup.app)
    #expect(contents.records[try ContainerPath("Documents/a")]?.attributes.marks == .resourceValue)
    let comparison = try backup.comparison()
    #expect(comparison.differences.map(\.kind) == [.unexpected(.ownMark(.resourceValue))])
  }

  @Test func `equal backups have folders of the same name, and no folder is replaced`()
    async throws
  {
    let scenario = try Sample.scenario()
    let first = try await ExportedBackup(of: scenario)
    let second = try await ExportedBackup(of: scenario)
    let name = URL(fileURLWithPath: first.device).lastPathComponent
    #expect(name == URL(fileURLWithPath: second.device).lastPathComponent)
    #expect(name.count == 40)
    let names = try first.place.names()
    let system = try #require(SystemProfile.newest).version
    #expect(throws: BackupFolderError.self) {
      _ = try SimulatedBackup(BackupSet(decisions: []), of: FileTree(), app: "a.b").write(
        of: BackupOrigin(
          app: "a.b", appVersion: "1", system: system, seed: "", date: 0),
        to: first.place.url("backup").path
      ) { _, _ in }
    }
    #expect(try first.place.names() == names)
  }

  @Test func `a backup that cannot be written completely leaves no folder`() async throws {
    let place = try TestFolder()
    let path = try ContainerPath("Documents/a")
    var tree = FileTree.Layout.newlyInstalled.tree
    tree.insert(FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: path)
    let profile = try #require(SystemProfile.newest)
    let backup = SimulatedBackup(
      BackupSimulator(profile: profile).backUp(tree), of: tree, app: "a.b")
    let origin = BackupOrigin(
      app: "a.b", appVersion: "1", system: profile.version, seed: "", date: 0)
    let error = #expect(throws: BackupFolderError.self) {
      _ = try backup.write(of: origin, to: place.url("backup").path) {
        path, _ in throw BackupFolderError(path.description, "is gone")
      }
    }
    #expect(error?.description == "Documents/a: is gone")
    #expect(try place.names() == [])
  }

  @Test func `the folder of a device and the folder above it open the same backup`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    #expect(try BackupFolder(at: backup.place.url("backup").path).path == backup.device)
    #expect(try BackupFolder(at: "\(backup.device)/").path == backup.device)
  }
}

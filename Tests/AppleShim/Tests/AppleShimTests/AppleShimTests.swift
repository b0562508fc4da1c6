import AppleShim
import Foundation
import PhotoStorage
import Testing

#if os(Linux)
import CBackupSQLite
#endif

struct AppleShimTests {
  private static let names = (
    png: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png",
    data: Data("test".utf8)
  )

  @Test func `an app's files save with Apple's frameworks`() throws {
    try withFolder { folder in
      let store = PhotoStore(folder: folder)
      var sent: [String] = []
      let watch = store.saved.sink { sent.append($0) }
      defer { watch.cancel() }
      let name = try store.save(photo: Self.names.data)
      #expect(name == Self.names.png)
      #expect(store.counts == [0])
      #expect(sent == [name] && store.names == [name] && store.last.value == name)
      #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Self.names.data)
      #expect(throws: CocoaError.self) { try store.save(photo: Data()) }
      NotificationCenter.default.post(name: UIApplication.willTerminateNotification, object: nil)
      #expect(store.names == [])
    }
  }

  @Test func `a bookmark names its file`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("photo.png")
      let places = Places()
      #expect(throws: CocoaError.self) { try places.remember(file, as: "first") }
      try Self.names.data.write(to: file)
      try places.remember(file, as: "first")
      #expect(try places.file("first")?.path == file.path)
    }
  }

  @Test func `a store of Core Data is a database with its logs`() throws {
    try withFolder { folder in
      let old = folder.appendingPathComponent("Old/Library.sqlite")
      let library = Library(at: old)
      #expect(library.failure == nil)
      for title in ["one", "two", "three"] { try library.add(title) }
      try library.rename("two", to: "2")
      try library.remove("three")
      #expect(try library.titles() == ["one", "2"])
      #expect(try names(in: old) == ["Library.sqlite", "Library.sqlite-shm", "Library.sqlite-wal"])
      #expect(try Library(at: old).titles() == ["one", "2"])
      #expect(throws: CocoaError.self) { try library.add(URL(fileURLWithPath: "/")) }
      #expect(throws: CocoaError.self) { try Library(at: old, isReadOnly: true).add("four") }
      // The old store is closed, and stays.
      let new = folder.appendingPathComponent("It's new/Library.sqlite")
      try library.move(to: new)
      try library.add("four")
      #expect(try names(in: old) == ["Library.sqlite", "Library.sqlite-shm", "Library.sqlite-wal"])
      #expect(try Library(at: old).titles() == ["one", "2"])
      #expect(try Library(at: new).titles() == ["one", "2", "four"])
      let coordinator = library.container.persistentStoreCoordinator
      try coordinator.replacePersistentStore(
        at: old, withPersistentStoreFrom: new, ofType: NSSQLiteStoreType)
      #expect(try Library(at: old).titles() == ["one", "2", "four"])
      try coordinator.destroyPersistentStore(at: new, ofType: NSSQLiteStoreType)
      #expect(try names(in: new).contains("Library.sqlite"))
      #expect(try Library(at: new).titles() == [])
    }
  }

  @Test func `a store in memory has no file, and one that cannot be opened is an error`() throws {
    try withFolder { folder in
      let library = Library(at: URL(fileURLWithPath: "/dev/null"))
      try library.add("one")
      #expect(try library.titles() == ["one"])
      let id = try #require(try library.photos().first).objectID
      #expect(try library.title(of: id) == "one")
      #expect(try library.photos().first?.objectID == id)
      #expect(!id.isTemporaryID)
      let file = folder.appendingPathComponent("Library.sqlite")
      try library.move(to: file)
      #expect(try library.titles() == ["one"])
      #expect(try library.removeAll() == 1)
      #expect(try library.titles() == [])
      #expect(throws: CocoaError.self) { try library.title(of: id) }
      try Data("no database".utf8).write(to: folder.appendingPathComponent("broken"))
      #expect(Library(at: folder.appendingPathComponent("broken")).failure != nil)
      #expect(Library(at: folder.appendingPathComponent("broken/below")).failure != nil)
    }
  }

  @Test func `the options of a store decide about its files`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("Library.sqlite")
      #expect(Library(at: file, isReadOnly: true).failure != nil)
      #expect(try names(in: file) == [])
      let description = NSPersistentStoreDescription(url: file)
      description.setOption(
        ["journal_mode": "DELETE"] as NSDictionary, forKey: NSSQLitePragmasOption)
      let library = Library(description)
      try library.add("one")
      #expect(try names(in: file) == ["Library.sqlite"])
      let copy = folder.appendingPathComponent("Copy/Library.sqlite")
      try Library(at: file, isReadOnly: true).move(to: copy)
      #expect(try Library(at: copy).titles() == ["one"])
      #expect(throws: CocoaError.self) {
        try library.container.persistentStoreCoordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: file)
      }
    }
  }

  @Test func `contexts keep apart what each has changed, until it is saved`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("Library.sqlite")
      let library = Library(at: file)
      let context = library.container.viewContext
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      for title in ["one", "two", "three"] {
        NSEntityDescription.insertNewObject(forEntityName: "Photo", into: child)
          .setValue(title, forKey: "title")
      }
      try child.save()
      #expect(try Library(at: file).titles() == [])
      #expect(try library.titles() == ["one", "two", "three"])
      try context.save()
      #expect(try Library(at: file).titles() == ["one", "two", "three"])
      // An object is one, however often it is fetched.
      try library.photos().last?.setValue("3", forKey: "title")
      try library.photos().last?.setValue(true, forKey: "isFavorite")
      try Library(at: file).remove("two")
      try context.save()
      let last = try Library(at: file).photos().last
      #expect(last?.value(forKey: "title") as? String == "3")
      #expect(last?.value(forKey: "isFavorite") as? Bool == true)
      try library.photos().forEach { $0.setValue("new", forKey: "title") }
      try library.photos().first.map(context.delete)
      let new = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
      #expect(try context.existingObject(with: new.objectID) === new)
      #expect(try library.titles() == ["new"])
      context.rollback()
      #expect(try library.titles() == ["one", "3"])
      // A change does not bring back what another context removed, and no number is used again.
      try library.photos().last?.setValue("three", forKey: "title")
      try Library(at: file).remove("3")
      try context.save()
      try library.add("four")
      #expect(try library.titles() == ["one", "four"])
      #expect(try library.photos().last?.objectID != last?.objectID)
    }
  }

  @Test func `threads and containers add to one store`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("Library.sqlite")
      let libraries = [Library(at: file), Library(at: file)]
      DispatchQueue.concurrentPerform(iterations: 40) { number in
        do {
          try libraries[number % 2].add("\(number)")
        } catch {
          Issue.record(error)
        }
      }
      let titles = try libraries[0].titles()
      #expect(Set(titles).count == 40)
    }
  }

  #if os(Linux)
  @Test func `a database that AppleShim did not make stays as it is`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("Library.sqlite")
      var database: OpaquePointer?
      try #require(csq_is_there() == 1)
      try #require(csq_open(file.path, .max, .max, &database) == 0)
      #expect(csq_execute(database, "CREATE TABLE ZOBJECT (Z_PK INTEGER, ZTITLE TEXT)") == 0)
      csq_close(database)
      let data = try Data(contentsOf: file)
      let library = Library(at: file)
      #expect("\(library.failure, default: "")".contains("was not made by AppleShim"))
      let coordinator = library.container.persistentStoreCoordinator
      #expect(throws: CocoaError.self) {
        try coordinator.destroyPersistentStore(at: file, ofType: NSSQLiteStoreType)
      }
      #expect(try Data(contentsOf: file) == data)
      #expect(try names(in: file) == ["Library.sqlite"])
    }
  }

  @Test func `a store without a place is in the container of the app's process`() async {
    await #expect(processExitsWith: .success) {
      setenv("BACKUP_TESTING_CONTAINER", "/container", 1)
      let url = NSPersistentContainer(name: "Library").persistentStoreDescriptions.first?.url
      precondition(url?.path == "/container/Library/Application Support/Library.sqlite")
    }
  }

  @Test func `the keychain is missing, which is said once`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let context = LAContext()
      context.interactionNotAllowed = true
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "user",
        kSecReturnData as String: kCFBooleanTrue as Any,
        kSecUseAuthenticationContext as String: context,
      ]
      var item: CFTypeRef?
      precondition(SecItemCopyMatching(query as CFDictionary, &item) == -25291 && item == nil)
      let value = [kSecValueData as String: Data()] as CFDictionary
      precondition(SecItemAdd(query as CFDictionary, nil) == errSecNotAvailable)
      precondition(SecItemUpdate(query as CFDictionary, value) == errSecNotAvailable)
      precondition(SecItemDelete(query as CFDictionary) == errSecNotAvailable)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.components(separatedBy: "Linux has no keychain").count == 2)
  }

  @Test func `an item provider has its file, and nothing else`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("photo.JPG")
      #expect(NSItemProvider(contentsOf: file) == nil)
      try Self.names.data.write(to: file)
      let provider = try #require(NSItemProvider(contentsOf: file))
      #expect(provider.registeredTypeIdentifiers == [UTType.jpeg.identifier])
      for type in [UTType.jpeg, .data] {
        let loaded = Box<URL?>(nil)
        provider.loadFileRepresentation(forTypeIdentifier: type.identifier) { copy, error in
          #expect(error == nil)
          loaded.value = copy
          #expect(copy.flatMap { try? Data(contentsOf: $0) } == Self.names.data)
          // A handler may take the copy away; the file stays.
          if let copy, type == .jpeg {
            #expect(throws: Never.self) { try FileManager.default.removeItem(at: copy) }
          }
        }
        let copy = try #require(loaded.value)
        #expect(copy.lastPathComponent == "photo.JPG")
        #expect(copy != file)
        #expect(!FileManager.default.fileExists(atPath: copy.deletingLastPathComponent().path))
      }
      #expect(try Data(contentsOf: file) == Self.names.data)
      for provider in [provider, NSItemProvider()] {
        let failure = Box<(any Error)?>(nil)
        #expect(!provider.hasItemConformingToTypeIdentifier("public.movie"))
        provider.loadDataRepresentation(forTypeIdentifier: "public.movie") { data, error in
          #expect(data == nil)
          failure.value = error
        }
        #expect((failure.value as? NSError)?.code == -1000)
      }
    }
  }

  @Test func `a text is its key or its default value`() {
    let count = 2
    #expect(String(localized: "\(count) photos", comment: "above the list") == "2 photos")
    #expect(String(localized: "saved", defaultValue: "Saved \(count)") == "Saved 2")
    let text = NSMutableString(string: "photo")
    text.appendFormat(" %d%C", count, unichar(33))
    #expect("\(text)" == "photo 2!")
  }

  @Test func `a session in the background is one of the process`() {
    let configuration = URLSessionConfiguration.background(withIdentifier: "downloads")
    configuration.sessionSendsLaunchEvents = true
    #expect(configuration.sessionSendsLaunchEvents)
    let session = URLSession(configuration: configuration)
    session.invalidateAndCancel()
  }

  @Test func `an app has a screen, and the delegate that a test sets`() {
    final class Delegate: NSObject, UIApplicationDelegate {}
    #expect(UIApplication.shared.delegate == nil)
    let delegate = Delegate()
    UIApplication.shared.delegate = delegate
    #expect(UIApplication.shared.delegate as? Delegate === delegate)
    UIApplication.shared.delegate = nil
    let (screen, scale) = (UIScreen.main, UIScreen.main.scale)
    #expect(screen.bounds.width * scale == screen.nativeBounds.width)
    #expect(screen.bounds.height * scale == screen.nativeBounds.height)
    #expect(ColorScheme.allCases == [.light, .dark])
  }

  @Test func `a type is the same by its extension and by its identifier`() {
    #expect(UTType(filenameExtension: "JPG") == .jpeg)
    #expect(UTType("public.jpeg") == .jpeg)
    #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
    let unknown = UTType(filenameExtension: "Photo")
    #expect(unknown?.identifier == "dyn.photo")
    #expect(unknown?.preferredFilenameExtension == "photo")
  }
  #endif

  private func names(in store: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: store.deletingLastPathComponent().path
    ).sorted()
  }

  @Test func `code for iOS is compiled, at its place in the original`() {
    #expect(Places.system == "iOS")
    #expect(Places.line == 23)
    #expect(Places.file.hasSuffix("PhotoApp/Storage/Places.swift"))
  }

  @Test(arguments: [
    (
      0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "d41d8cd98f00b204e9800998ecf8427e"
    ),
    (
      55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
      "ef1772b6dff9a122358552954ad0df65"
    ),
    (
      56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
      "3b0c8ac703f828b04c6c197006d17218"
    ),
    (
      64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
      "014842d480b571495a4a0363793f7367"
    ),
    (
      200, "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5",
      "887f30b43b2867f4a9accceee7d16e6c"
    ),
  ])
  func `hashes are those of CryptoKit`(count: Int, sha256: String, md5: String) {
    let data = Data(repeating: 97, count: count)
    var parts = SHA256()
    for byte in data { parts.update(data: [byte]) }
    for digest in [SHA256.hash(data: data), parts.finalize()] {
      #expect("\(digest)" == "SHA256 digest: \(sha256)")
    }
    #expect("\(Insecure.MD5.hash(data: data))" == "MD5 digest: \(md5)")
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}

#if os(Linux)
private final class Box<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
#endif

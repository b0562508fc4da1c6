// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  public let NSSQLiteStoreType = "SQLite"
  public let NSInMemoryStoreType = "InMemory"
  public let NSMigratePersistentStoresAutomaticallyOption =
    "NSMigratePersistentStoresAutomaticallyOption"
  public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
  public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
  public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
  public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
  public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
  public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationPostOptionKey"

  extension Notification.Name {
    public static let NSManagedObjectContextWillSave = Self("NSManagedObjectContextWillSave")
    public static let NSManagedObjectContextDidSave = Self("NSManagedObjectContextDidSave")
    public static let NSManagedObjectContextObjectsDidChange =
      Self("NSManagedObjectContextObjectsDidChange")
    public static let NSPersistentStoreRemoteChange = Self("NSPersistentStoreRemoteChange")
  }

  /// Makes real SQLite stores, with logs beside them. Objects have the values that `setValue` gives
  /// them: Linux compiles no model and no `@NSManaged`. Calls are made at once, on the caller's thread.
  open class NSPersistentContainer: NSObject, @unchecked Sendable {
    public let name: String
    public let managedObjectModel: NSManagedObjectModel
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    public let viewContext: NSManagedObjectContext
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    public convenience init(name: String) {
      self.init(name: name, managedObjectModel: NSManagedObjectModel())
    }

    public init(name: String, managedObjectModel: NSManagedObjectModel) {
      self.name = name
      self.managedObjectModel = managedObjectModel
      persistentStoreCoordinator = NSPersistentStoreCoordinator(
        managedObjectModel: managedObjectModel)
      viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      viewContext.persistentStoreCoordinator = persistentStoreCoordinator
      persistentStoreDescriptions = [
        NSPersistentStoreDescription(
          url: Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite"))
      ]
    }

    /// In the container of the test or of the app's process, which the files of `linux-shim` find in
    /// the same way; they cannot redirect the calls of a library.
    open class func defaultDirectoryURL() -> URL {
      let kit: AnyClass? = NSClassFromString("BackupTesting.CurrentContainer")
      let container =
        (kit as? any LosslessStringConvertible.Type)?
        .init("NSPersistentContainer.defaultDirectoryURL()")?.description
        ?? ProcessInfo.processInfo.environment["BACKUP_TESTING_CONTAINER"]
      if let container, !container.isEmpty {
        return URL(fileURLWithPath: "\(container)/Library/Application Support", isDirectory: true)
      }
      let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      return folders.first ?? FileManager.default.temporaryDirectory
    }

    open func loadPersistentStores(
      completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
      for description in persistentStoreDescriptions {
        persistentStoreCoordinator.addPersistentStore(
          with: description, completionHandler: block)
      }
    }

    open func newBackgroundContext() -> NSManagedObjectContext {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = persistentStoreCoordinator
      return context
    }

    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
      block(newBackgroundContext())
    }

    open func performBackgroundTask<T>(
      _ block: @escaping (NSManagedObjectContext) throws -> T
    ) async rethrows -> T {
      try block(newBackgroundContext())
    }
  }

  /// Keeps nothing in iCloud.
  open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {}

  open class NSPersistentCloudKitContainerOptions: NSObject {
    public let containerIdentifier: String

    public init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
  }

  open class NSPersistentStoreDescription: NSObject, @unchecked Sendable {
    open var type = NSSQLiteStoreType
    open var configuration: String?
    open var url: URL?
    open var isReadOnly: Bool {
      get { options[NSReadOnlyPersistentStoreOption] as? Bool ?? false }
      set { options[NSReadOnlyPersistentStoreOption] = newValue as NSNumber }
    }
    open var shouldAddStoreAsynchronously = false
    open var shouldMigrateStoreAutomatically = true
    open var shouldInferMappingModelAutomatically = true
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?
    open private(set) var options: [String: NSObject] = [:]
    open var sqlitePragmas: [String: NSObject] {
      options[NSSQLitePragmasOption] as? [String: NSObject] ?? [:]
    }

    public convenience override init() { self.init(url: nil) }
    public convenience init(url: URL) { self.init(url: .some(url)) }
    private init(url: URL?) { self.url = url }

    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
      var pragmas = sqlitePragmas
      pragmas[name] = value
      options[NSSQLitePragmasOption] = pragmas as NSDictionary
    }
  }

  open class NSPersistentStore: NSObject, @unchecked Sendable {
    public struct StoreType: RawRepresentable, Hashable, Sendable {
      public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
      public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)

      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let type: String
    public let configurationName: String
    public let isReadOnly: Bool
    public fileprivate(set) var url: URL?
    fileprivate let database: StoreDatabase
    fileprivate let postsRemoteChanges: Bool

    fileprivate init(type: String, configuration: String?, url: URL?, options: [AnyHashable: Any])
      throws
    {
      let isInMemory = type == NSInMemoryStoreType || url?.path == "/dev/null"
      guard isInMemory || type == NSSQLiteStoreType && url != nil else {
        throw CocoaError(.persistentStoreInvalidType)
      }
      self.type = type
      self.url = url
      configurationName = configuration ?? "Default"
      isReadOnly = options[NSReadOnlyPersistentStoreOption] as? Bool ?? false
      postsRemoteChanges =
        options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? Bool ?? false
      database = try StoreDatabase(
        at: isInMemory ? nil : url, isReadOnly: isReadOnly,
        pragmas: options[NSSQLitePragmasOption] as? [String: Any] ?? [:])
    }
  }

  open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    public let managedObjectModel: NSManagedObjectModel
    open var name: String?
    open private(set) var persistentStores: [NSPersistentStore] = []

    public init(managedObjectModel model: NSManagedObjectModel) { managedObjectModel = model }

    @discardableResult open func addPersistentStore(
      ofType type: String, configurationName configuration: String?, at url: URL?,
      options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
      if let url, persistentStore(for: url) != nil {
        throw CocoaError(
          .init(rawValue: 134081),
          userInfo: [NSLocalizedDescriptionKey: "the coordinator has \(url.path) already"])
      }
      let store = try NSPersistentStore(
        type: type, configuration: configuration, url: url, options: options ?? [:])
      persistentStores.append(store)
      return store
    }

    @discardableResult public func addPersistentStore(
      type: NSPersistentStore.StoreType, configuration: String? = nil, at url: URL,
      options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
      try addPersistentStore(
        ofType: type.rawValue, configurationName: configuration, at: url, options: options)
    }

    open func addPersistentStore(
      with description: NSPersistentStoreDescription,
      completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
      do {
        try addPersistentStore(
          ofType: description.type, configurationName: description.configuration,
          at: description.url, options: description.options)
        block(description, nil)
      } catch {
        block(description, error)
      }
    }

    open func persistentStore(for url: URL) -> NSPersistentStore? {
      persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
    }

    open func url(for store: NSPersistentStore) -> URL {
      store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// Closes the store; its files stay.
    open func remove(_ store: NSPersistentStore) throws {
      persistentStores.removeAll { $0 === store }
      store.database.close()
    }

    /// Copies the store, and removes it from the coordinator; its files stay.
    @discardableResult open func migratePersistentStore(
      _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
      withType type: String
    ) throws -> NSPersistentStore {
      if type == NSSQLiteStoreType {
        guard persistentStore(for: url) == nil else {
          throw StoreDatabase.error("the coordinator has \(url.path) already")
        }
        try store.database.copy(to: url)
      }
      let migrated = try addPersistentStore(
        ofType: type, configurationName: nil, at: url, options: options)
      if type != NSSQLiteStoreType { try migrated.database.add(store.database.rows(of: nil)) }
      try remove(store)
      return migrated
    }

    @discardableResult public func migratePersistentStore(
      _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
      type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
      try migratePersistentStore(store, to: url, options: options, withType: type.rawValue)
    }

    open func replacePersistentStore(
      at destination: URL, destinationOptions: [AnyHashable: Any]? = nil,
      withPersistentStoreFrom source: URL, sourceOptions: [AnyHashable: Any]? = nil,
      ofType type: String
    ) throws {
      guard type == NSSQLiteStoreType else { throw CocoaError(.persistentStoreInvalidType) }
      guard source.standardizedFileURL != destination.standardizedFileURL else { return }
      let database = try StoreDatabase(at: source, isReadOnly: true, pragmas: [:])
      defer { database.close() }
      if let store = persistentStore(for: destination) { try remove(store) }
      try database.copy(to: destination)
    }

    /// Empties the store; its files stay, as Core Data may leave them.
    open func destroyPersistentStore(
      at url: URL, ofType type: String, options: [AnyHashable: Any]? = nil
    ) throws {
      guard type == NSSQLiteStoreType else { return }
      guard FileManager.default.fileExists(atPath: url.path) else { return }
      if let store = persistentStore(for: url) { try remove(store) }
      let database = try StoreDatabase(at: url, isReadOnly: false, pragmas: [:])
      defer { database.close() }
      try database.run("DELETE FROM ZOBJECT; VACUUM")
    }

    public func destroyPersistentStore(
      at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
      try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    open func performAndWait(_ block: () -> Void) { block() }
    open func perform(_ block: @escaping () -> Void) { block() }
  }

  /// Has the entities that it is given: Linux compiles no model.
  open class NSManagedObjectModel: NSObject, @unchecked Sendable {
    open var entities: [NSEntityDescription] = []
    open var entitiesByName: [String: NSEntityDescription] {
      Dictionary(entities.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    public override init() {}
    public convenience init?(contentsOf url: URL) { self.init() }

    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
      NSManagedObjectModel()
    }
  }

  open class NSEntityDescription: NSObject, @unchecked Sendable {
    open var name: String?
    open var managedObjectClassName = "NSManagedObject"

    open class func entity(
      forEntityName name: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
      let entity = NSEntityDescription()
      entity.name = name
      return context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] ?? entity
    }

    open class func insertNewObject(
      forEntityName name: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
      let entity = entity(forEntityName: name, in: context) ?? NSEntityDescription()
      return NSManagedObject(entity: entity, insertInto: context)
    }
  }

  public protocol NSFetchRequestResult: NSObjectProtocol {}

  /// A predicate must be a block: Linux has no format of predicates.
  open class NSFetchRequest<Result>: NSPersistentStoreRequest {
    open var entityName: String?
    open var predicate: NSPredicate?
    open var fetchLimit = 0

    public override init() {}
    public init(entityName: String) { self.entityName = entityName }
  }

  open class NSPersistentStoreRequest: NSObject {}

  open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly
    public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>

    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
      fetchRequest = fetch
    }
  }

  public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    case resultTypeStatusOnly, resultTypeObjectIDs, resultTypeCount
  }

  open class NSPersistentStoreResult: NSObject {}

  open class NSBatchDeleteResult: NSPersistentStoreResult {
    public let result: Any?

    fileprivate init(_ result: Any?) { self.result = result }
  }

  open class NSManagedObject: NSObject, NSFetchRequestResult {
    public let entity: NSEntityDescription
    open private(set) weak var managedObjectContext: NSManagedObjectContext?
    open fileprivate(set) var isDeleted = false
    fileprivate var row: StoreDatabase.Row

    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
      self.entity = entity
      row = StoreDatabase.Row(entity: entity.name ?? "")
      super.init()
      context?.insert(self)
    }

    fileprivate init(_ row: StoreDatabase.Row, in context: NSManagedObjectContext) {
      entity = NSEntityDescription()
      entity.name = row.entity
      self.row = row
      super.init()
      managedObjectContext = context
    }

    fileprivate func move(to context: NSManagedObjectContext) { managedObjectContext = context }

    private lazy var temporaryID = NSManagedObjectID(entity: row.entity, number: nil)
    open var objectID: NSManagedObjectID {
      row.number.map { NSManagedObjectID(entity: row.entity, number: $0) } ?? temporaryID
    }

    open func value(forKey key: String) -> Any? { row.values[key] }

    open func setValue(_ value: Any?, forKey key: String) {
      row.values[key] = value
      managedObjectContext?.note(change: self)
    }
  }

  public final class NSManagedObjectID: NSObject, NSFetchRequestResult, Sendable {
    public var isTemporaryID: Bool { number == nil }
    fileprivate let entity: String
    fileprivate let number: Int64?

    fileprivate init(entity: String, number: Int64?) {
      self.entity = entity
      self.number = number
    }

    public override func isEqual(_ other: Any?) -> Bool {
      guard let other = other as? NSManagedObjectID, number != nil else {
        return self === other as AnyObject?
      }
      return entity == other.entity && number == other.number
    }

    public override var hash: Int { entity.hashValue ^ (number ?? 0).hashValue }
  }

  open class NSMergePolicy: NSObject, @unchecked Sendable {
    public static let error = NSMergePolicy()
    public static let mergeByPropertyObjectTrump = NSMergePolicy()
    public static let mergeByPropertyStoreTrump = NSMergePolicy()
    public static let overwrite = NSMergePolicy()
    public static let rollback = NSMergePolicy()
  }

  public let NSErrorMergePolicy = NSMergePolicy.error
  public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
  public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
  public let NSRollbackMergePolicy = NSMergePolicy.rollback

  public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    case privateQueueConcurrencyType = 1
    case mainQueueConcurrencyType = 2
  }

  open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    open var parent: NSManagedObjectContext? {
      didSet { persistentStoreCoordinator = parent?.persistentStoreCoordinator }
    }
    open var name: String?
    open var transactionAuthor: String?
    open var mergePolicy: Any = NSMergePolicy.error
    open var undoManager: AnyObject?
    open var automaticallyMergesChangesFromParent = false
    open var shouldDeleteInaccessibleFaults = true
    open var stalenessInterval: TimeInterval = -1
    /// The saved objects that this context has given, by their numbers.
    private var known: [Int64: NSManagedObject] = [:]
    /// In the order in which they are saved.
    private var inserted: [NSManagedObject] = []
    open var insertedObjects: Set<NSManagedObject> { Set(inserted) }
    open private(set) var updatedObjects: Set<NSManagedObject> = []
    open private(set) var deletedObjects: Set<NSManagedObject> = []
    open var hasChanges: Bool {
      !inserted.isEmpty || !updatedObjects.isEmpty || !deletedObjects.isEmpty
    }

    public init(concurrencyType type: NSManagedObjectContextConcurrencyType) {
      concurrencyType = type
    }

    public convenience init(_ type: NSManagedObjectContextConcurrencyType) {
      self.init(concurrencyType: type)
    }

    open func insert(_ object: NSManagedObject) {
      object.move(to: self)
      inserted.append(object)
      postChange()
    }

    open func delete(_ object: NSManagedObject) {
      object.isDeleted = true
      updatedObjects.remove(object)
      if let index = inserted.firstIndex(of: object) {
        inserted.remove(at: index)
      } else {
        deletedObjects.insert(object)
      }
      postChange()
    }

    fileprivate func note(change object: NSManagedObject) {
      if object.row.number != nil, !object.isDeleted { updatedObjects.insert(object) }
      postChange()
    }

    private func postChange() {
      NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self)
    }

    private var store: NSPersistentStore? { persistentStoreCoordinator?.persistentStores.first }

    /// Saves into the store, as one transaction, or hands the changes to the parent.
    open func save() throws {
      guard hasChanges else { return }
      if let parent { return hand(to: parent) }
      guard let store, !store.isReadOnly else { throw CocoaError(.persistentStoreSave) }
      guard persistentStoreCoordinator?.persistentStores.count == 1 else {
        throw StoreDatabase.error(
          "the coordinator has several stores, and AppleShim can only save into one")
      }
      NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
      let numbers = try store.database.change(
        adding: inserted.map(\.row), updating: updatedObjects.map(\.row),
        removing: deletedObjects.compactMap(\.row.number))
      for (object, number) in zip(inserted, numbers) {
        object.row.number = number
        known[number] = object
      }
      forgetChanges()
      NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: self)
      if store.postsRemoteChanges {
        NotificationCenter.default.post(
          name: .NSPersistentStoreRemoteChange, object: persistentStoreCoordinator)
      }
    }

    private func hand(to parent: NSManagedObjectContext) {
      NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
      let changed = (inserted, updatedObjects, deletedObjects)
      reset()
      for object in changed.0 { parent.insert(object) }
      for object in changed.1.union(changed.2) {
        if let number = object.row.number { parent.known[number] = object }
        object.move(to: parent)
      }
      changed.1.forEach(parent.note)
      changed.2.forEach(parent.delete)
      NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: self)
    }

    /// The objects of the store, and those that this context has inserted; a parent's are left out.
    open func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
      let new = inserted.filter { [$0.row.entity, nil].contains(request.entityName) }
      let objects = try (saved(of: request.entityName) + new)
        .filter { request.predicate?.evaluate(with: $0) ?? true }
      return try objects.prefix(request.fetchLimit > 0 ? request.fetchLimit : .max).map { object in
        guard let object = object as? T else {
          throw StoreDatabase.error("AppleShim makes objects of NSManagedObject, not of \(T.self)")
        }
        return object
      }
    }

    /// The objects of the first store that this context has not deleted, each as it has it.
    private func saved(of entity: String?) throws -> [NSManagedObject] {
      let rows = try store?.database.rows(of: entity) ?? []
      return rows.compactMap { row in
        guard let number = row.number else { return nil }
        let object = known[number] ?? NSManagedObject(row, in: self)
        known[number] = object
        if !updatedObjects.contains(object), !object.isDeleted { object.row = row }
        return object.isDeleted ? nil : object
      }
    }

    open func count<T>(for request: NSFetchRequest<T>) throws -> Int {
      try fetch(request).count
    }

    @discardableResult open func execute(
      _ request: NSPersistentStoreRequest
    ) throws -> NSPersistentStoreResult {
      guard let request = request as? NSBatchDeleteRequest else {
        throw CocoaError(.featureUnsupported)
      }
      let objects = try fetch(request.fetchRequest).compactMap { $0 as? NSManagedObject }
      let numbers = objects.compactMap(\.row.number)
      _ = try store?.database.change(adding: [], updating: [], removing: numbers)
      switch request.resultType {
      case .resultTypeStatusOnly: return NSBatchDeleteResult(true)
      case .resultTypeObjectIDs: return NSBatchDeleteResult(objects.map(\.objectID))
      case .resultTypeCount: return NSBatchDeleteResult(numbers.count)
      }
    }

    open func existingObject(with id: NSManagedObjectID) throws -> NSManagedObject {
      guard let object = try (saved(of: id.entity) + inserted).first(where: { $0.objectID == id })
      else { throw CocoaError(.managedObjectReferentialIntegrity) }
      return object
    }

    open func object(with id: NSManagedObjectID) -> NSManagedObject {
      if let object = try? existingObject(with: id) { return object }
      return NSManagedObject(StoreDatabase.Row(entity: id.entity), in: self)
    }

    open func rollback() {
      for object in deletedObjects { object.isDeleted = false }
      forgetChanges()
      // Gives the known objects the values that are saved.
      _ = try? saved(of: nil)
    }

    open func reset() {
      known = [:]
      forgetChanges()
    }

    private func forgetChanges() {
      inserted = []
      updatedObjects = []
      deletedObjects = []
    }

    open func perform(_ block: @escaping () -> Void) { block() }

    public func perform<T>(_ block: @escaping () throws -> T) async rethrows -> T { try block() }

    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
  }

  extension CocoaError.Code {
    public static let managedObjectReferentialIntegrity = Self(rawValue: 133000)
    public static let persistentStoreInvalidType = Self(rawValue: 134000)
    public static let persistentStoreSave = Self(rawValue: 134030)
    public static let persistentStoreOpen = Self(rawValue: 134080)
  }
#endif

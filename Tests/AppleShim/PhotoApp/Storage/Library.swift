import CoreData
import Foundation

package final class Library: @unchecked Sendable {
  package let container: NSPersistentContainer
  package private(set) var failure: Error?

  package convenience init(at url: URL, isReadOnly: Bool = false) {
    let description = NSPersistentStoreDescription(url: url)
    description.isReadOnly = isReadOnly
    self.init(description)
  }

  package init(_ description: NSPersistentStoreDescription) {
    container = NSPersistentContainer(name: "Library")
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { [unowned self] _, error in failure = error }
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    container.viewContext.undoManager = nil
  }

  package func add(_ title: Any) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
      photo.setValue(title, forKey: "title")
      try context.save()
    }
  }

  package func titles() throws -> [String] {
    try photos().compactMap { $0.value(forKey: "title") as? String }
  }

  package func rename(_ title: String, to new: String) throws {
    for photo in try photos() where photo.value(forKey: "title") as? String == title {
      photo.setValue(new, forKey: "title")
    }
    try container.viewContext.save()
  }

  package func remove(_ title: String) throws {
    for photo in try photos() where photo.value(forKey: "title") as? String == title {
      container.viewContext.delete(photo)
    }
    if container.viewContext.hasChanges { try container.viewContext.save() }
  }

  package func removeAll() throws -> Int? {
    let request = NSBatchDeleteRequest(
      fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Photo"))
    request.fetchRequest.predicate = NSPredicate { photo, _ in
      (photo as? NSManagedObject)?.value(forKey: "title") != nil
    }
    request.resultType = .resultTypeCount
    let result = try container.viewContext.execute(request) as? NSBatchDeleteResult
    return result?.result as? Int
  }

  package func title(of id: NSManagedObjectID) throws -> String? {
    try container.viewContext.existingObject(with: id).value(forKey: "title") as? String
  }

  package func move(to url: URL) throws {
    let coordinator = container.persistentStoreCoordinator
    guard let store = coordinator.persistentStores.first else { return }
    try coordinator.migratePersistentStore(
      store, to: url, options: nil, withType: NSSQLiteStoreType)
  }

  package func photos() throws -> [NSManagedObject] {
    try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo"))
  }
}

import Foundation
import TypedDefaults

/// What may differ between the library's memory and Foundation's, or the file.
struct FoundationState {
  var shortage: Shortage?
  /// The keys that Foundation may not have taken as the library set them.
  var behind: Set<String> = []
  /// The keys that raw calls have changed, which is saved some time, or never.
  var unsaved: Set<String> = []
}

/// How Foundation's class differs from what it was told, where it cannot open its file.
///
/// - What is set or removed then is not seen, by none of its accessors, except where the same user has had the
///   file open before: so what it shows before and after a raw call decides whether that is one.
/// - What it has not taken, the library sets there again some time later.
extension ModelRun {
  /// - Returns: Whether anything has changed.
  func raw(_ key: String, _ object: Object?) -> Bool {
    // What changes beneath an argument is seen when that is gone.
    if kind == .foundation, model.arguments[key] != nil { return false }
    // In a domain that is empty then, a removal of what equals the registered default is not seen.
    let isDefault = model.stored[key] != nil && model.stored[key] == model.registered[key]
    if kind == .foundation, object == nil, isDefault { return false }
    let before = Object(store.object(forKey: key))
    if let object { store.set(object.any, forKey: key) } else { store.removeObject(forKey: key) }
    guard !kind.hearsRawChanges else { return true }
    // A removal that nobody has read is undone by a notification.
    _ = store.storedValue(for: UserDefaults.Key<Int>(name: key))
    foundation.unsaved.insert(key)
    let isSure = foundation.shortage == nil && !foundation.behind.contains(key)
    return isSure || before != Object(store.object(forKey: key))
  }

  /// Makes Dispatch open what it needs for tasks. Without a descriptor for that it ends the process.
  static func runTask() {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached { isDone.signal() }
    isDone.wait()
  }

  /// Begins a shortage, in place of the one that there is; nil ends that.
  func lack(_ shortage: Shortage?) {
    guard kind.mayLack else { return }
    let path = store.fileURL!.path
    if foundation.shortage != nil { Shortage.end(in: path) }
    foundation.shortage = shortage
    shortage?.begin(in: path)
  }

  func note(_ operation: Operation, _ touched: Set<String>) {
    guard kind == .foundation else { return }
    if !operation.mayUndo { foundation.unsaved.subtract(touched) }
    switch operation {
    case .post, .otherDomain: foundation.behind = Set(allKeys)
    default:
      if foundation.shortage == nil {
        foundation.behind.subtract(touched)
      } else {
        foundation.behind.formUnion(touched)
      }
    }
  }

  /// Saves, and compares everything once more.
  func finish() throws {
    guard kind.isFile else { return }
    try flush()
    try compare(nil)
  }

  /// Compares the file with what the next start of the program is to find.
  func compareFile() throws {
    guard kind.isFile else { return }
    let data = try? Data(contentsOf: store.fileURL!)
    let contents = try data.map {
      try PropertyListSerialization.propertyList(from: $0, format: nil) as! [String: Any]
    }
    for key in allKeys where !foundation.unsaved.contains(key) {
      // What a raw change has put there since the last read is not kept.
      if !kind.hearsRawChanges, key.hasSuffix(".undecodable") { continue }
      try expect(Object(contents?[key]), model.file[key], "what the file holds of \(key)")
    }
  }
}

import Foundation
import TypedDefaults

/// What may differ between the library's memory and Foundation's, or the file.
struct FoundationState {
  var shortage: Shortage?
  /// The keys that Foundation may not have taken as the library set them.
  var behind: Set<String> = []
  /// The keys that Foundation may have lost.
  var doubtful: Set<String> = []
  /// What was set while the file could not be opened.
  var refused: [String: [Object?]] = [:]
  /// The keys that raw calls have changed, which is saved some time, or never.
  var unsaved: Set<String> = []
  /// Whether a raw call has changed something that is not seen. A call for a whole domain may write it.
  var hasHiddenSets = false
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
    // After a notification in a shortage, Foundation may have lost it itself.
    let isDoubtful = foundation.doubtful.contains(key) || foundation.behind.contains(key)
    if kind == .foundation, object == nil, isDoubtful { return false }
    // It may show again what was set in a shortage.
    let number = object?.any as? NSNumber
    func isEqualNumber(_ old: Object?) -> Bool { number != nil && number == old?.any as? NSNumber }
    let refused = foundation.refused[key, default: []]
    let isRefused = refused.contains { $0 == object || isEqualNumber($0) }
    if object != nil, isRefused { return false }
    // Foundation does not replace a number by an equal one of another type.
    if kind == .foundation, isEqualNumber(model.stored[key]) { return false }
    let before = Object(store.object(forKey: key))
    if let object { store.set(object.any, forKey: key) } else { store.removeObject(forKey: key) }
    guard !kind.hearsRawChanges else { return true }
    // A removal that nobody has read is undone by a notification.
    _ = store.storedValue(for: UserDefaults.Key<Int>(name: key))
    foundation.unsaved.insert(key)
    let isSure = foundation.shortage == nil && !foundation.behind.contains(key)
    if isSure || before != Object(store.object(forKey: key)) { return true }
    foundation.hasHiddenSets = true
    return false
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

  /// Waits until no save has a descriptor that another call could take afterwards.
  func settle() {
    try? store.flush()
  }

  func note(_ operation: Operation, _ touched: Set<String>, _ before: [String: Object]) {
    guard kind == .foundation else { return }
    if !operation.mayUndo { foundation.unsaved.subtract(touched) }
    switch operation {
    case .post, .otherDomain:
      foundation.behind = Set(allKeys)
      if foundation.shortage != nil { foundation.doubtful = Set(allKeys) }
    default:
      if foundation.shortage == nil {
        foundation.behind.subtract(touched)
        foundation.doubtful.subtract(touched)
      } else {
        foundation.behind.formUnion(touched)
        for key in touched {
          foundation.refused[key, default: []] += [before[key], model.stored[key]]
        }
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

internal import Foundation
internal import Synchronization

/// One suite, which may have several `UserDefaults` instances, or one instance of a subclass.
final class Store: Sendable {
  let backend: Backend
  let keys: KeyTable
  private let isLoaded = Atomic(false)
  /// Whether each change comes through the library, so that a decoded value holds until the next
  /// change.
  let hearsEveryChange: Bool
  private let exclusives = Atomic(0)
  #if TYPED_DEFAULTS_PLATFORM_SAVES
    let listenedKeys = Mutex<Set<String>>([])
  #endif

  init(_ backend: Backend, keys: KeyTable = KeyTable()) {
    self.backend = backend
    self.keys = keys
    hearsEveryChange = backend.hearsEveryChange
  }

  func state(of key: String) -> KeyState { keys.state(of: key) }

  /// Whether it sees the arguments and the environment of the process.
  var seesProcess: Bool { backend.layers.contains(.environment) }

  /// Registers the defaults of declarations, except for those that are registered: Foundation posts
  /// a notification each time.
  ///
  /// - Returns: Each declaration with the first one of its key, if that is another one.
  func declare(
    _ declarations: [(new: DeclaredKey, owner: KeyTable.Owner)], in userDefaults: UserDefaults
  ) -> [(first: DeclaredKey, new: DeclaredKey)] {
    var defaults: [String: Any] = [:]
    for (new, _) in declarations where keys.first(of: new.key)?.default != new.default {
      defaults[new.key] = new.default?.object
    }
    if !defaults.isEmpty { backend.register(defaults, in: userDefaults) }
    return declarations.compactMap { new, owner in
      keys.declare(new, by: owner).map { ($0, new) }
    }
  }

  func load(_ userDefaults: UserDefaults) {
    guard !isLoaded.load(ordering: .acquiring) else { return }
    #if !TYPED_DEFAULTS_PLATFORM_SAVES
      if !(userDefaults is MemoryUserDefaults) { Self.hearsNotifications }
    #endif
    DeferredCalls.collecting { backend.load(userDefaults) }
    isLoaded.store(true, ordering: .releasing)
  }

  // MARK: Changing

  /// Makes a change: in memory first, then listeners are told, then the file is saved in the
  /// background. Each change of the library comes by here.
  func change(_ state: KeyState, to object: PropertyListObject?, in userDefaults: UserDefaults) {
    let token = Transaction.token(in: self)
    state.locked {
      let outer = Self.changing.object
      Self.changing.object = state
      let isDifferent = backend.change(state, to: object, heldBy: token, in: userDefaults)
      Self.changing.object = outer
      noteChange(of: state, isDifferent)
    }
  }

  /// The key that this thread is changing, of which a subclass needs to announce nothing.
  static let changing = ThreadVariable<KeyState>()

  private func noteChange(of state: KeyState, _ isDifferent: Bool) {
    state.forgetStoredReports()
    // Even equal objects may be decoded as two values: a text is "2" of an integer, and "2.0" of a real.
    if isDifferent { state.announceChange() } else { state.forgetDecoded() }
  }

  /// Returns the revision of a key, before its value is read and changed by the method below.
  ///
  /// - Returns: The revision; nil in a store without revisions, and inside a transaction.
  /// - Throws: An issue if the store cannot tell it now.
  func revision(_ state: KeyState) throws -> Int64? {
    guard Transaction.token(in: self) == nil,
      let revision = try backend.subclass?.revision(forKey: state.key)
    else { return nil }
    // The last decoded value may be older than the revision, if a change is not announced yet.
    state.forgetDecoded()
    return revision
  }

  /// Makes a change, if the key is still at a revision, or if there is none.
  ///
  /// - Returns: Whether it was.
  /// - Throws: An issue if the object cannot be stored now.
  func change(
    _ state: KeyState, to object: PropertyListObject?, ifStillAt revision: Int64?,
    in userDefaults: UserDefaults
  ) throws -> Bool {
    guard let revision, let subclass = backend.subclass else {
      change(state, to: object, in: userDefaults)
      return true
    }
    guard try subclass.setObject(object?.object, forKey: state.key, ifStillAt: revision)
    else { return false }
    noteChange(of: state, true)
    return true
  }

  // MARK: Saving

  /// Throws if this thread cannot save now, because it runs a body whose changes are saved after it.
  ///
  /// - Parameter call: The function that would save.
  private func refuseInside(_ call: String) throws {
    guard let body = Nesting.innermost(of: self) else { return }
    throw DefaultsIssue.nested(call, inside: body.function.rawValue)
  }

  /// Returns when every change is saved.
  func flush(in userDefaults: UserDefaults) throws {
    try refuseInside("flush()")
    try backend.flush(in: userDefaults)
  }

  /// Runs a body as a transaction that nobody else comes between. The store may run it several
  /// times.
  func exclusively<R>(in userDefaults: UserDefaults, _ body: () throws -> R) throws -> R {
    if Nesting.innermost(of: self, where: { $0 == .exclusively }) != nil {
      return try Transaction.run(in: self, userDefaults, body)
    }
    try refuseInside("exclusively(_:)")
    return try DeferredCalls.collecting {
      var result: R?
      func run(_ commit: Transaction.Commit) throws {
        result = try Transaction.run(.exclusively, in: self, userDefaults, commit: commit, body)
      }
      let count = backend.subclass == nil ? 0 : 1
      exclusives.wrappingAdd(count, ordering: .sequentiallyConsistent)
      defer { exclusives.wrappingSubtract(count, ordering: .sequentiallyConsistent) }
      try backend.exclusively(run)
      guard let result else { throw DefaultsIssue.notRun }
      return result
    }
  }

  /// Whether each read must ask the store, which notes it.
  var notesReads: Bool { exclusives.load(ordering: .relaxed) > 0 }

  /// Undoes the changes of a transaction.
  func drop(_ token: StoredValues.Token, in userDefaults: UserDefaults) {
    for state in keys.states(of: backend.drop(token, of: keys, in: userDefaults)) {
      state.forgetStoredReports()
      state.announceChange()
    }
  }
}

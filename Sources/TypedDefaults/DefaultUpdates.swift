/// An asynchronous sequence of the current value of a setting, then each different one.
///
/// ```swift
/// for await volume in settings.$volume.updates {
///   player.setVolume(volume)
/// }
/// ```
///
/// It leaves out a value that equals the one before. Two values are equal if `==` returns `true` or
/// if their stored forms are equal, so `Value` does not have to be `Equatable`. A slow loop misses
/// values, but never the last one. You can iterate over the sequence several times, also at once.
/// It never fails, ends when its task is canceled, and costs no processor time while no change
/// comes.
///
/// It observes these changes:
///
/// - Changes through this library, in this process or another one.
/// - `removePersistentDomain(forName:)` and `setPersistentDomain(_:forName:)`.
/// - A raw `userDefaults.set(_:forKey:)` on Apple platforms and, on Linux, in
///   ``Foundation/UserDefaults/saved`` and ``Foundation/UserDefaults/inMemory(_:managed:system:)``. In any other
///   store on Linux, a raw change comes with the next change that it observes.
/// - Changes that a subclass of `UserDefaults` announces, by
///   ``DefaultsStore/announceChange(of:telling:)`` or by posting
///   `UserDefaults.didChangeNotification`.
public struct DefaultUpdates<Value: Sendable>: AsyncSequence, Sendable {
  /// Reads the value and its stored form.
  typealias Read = @Sendable () -> (value: Value, stored: PropertyListObject?)

  private let listeners: Listeners
  private let read: Read

  init(_ listeners: Listeners, read: @escaping Read) {
    self.listeners = listeners
    self.read = read
  }

  /// Creates an iterator, which listens until it is released or its task is canceled.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator {
    // Listens before the first read, so as to miss no change after it.
    Iterator(wakeUps: listeners.listen().makeAsyncIterator(), read: read)
  }

  /// An iteration over the values of a setting.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var wakeUps: AsyncStream<Void>.Iterator
    fileprivate let read: Read
    fileprivate var last: (value: Value, stored: PropertyListObject?)?

    /// Waits for a value that differs from the one before.
    ///
    /// Meanwhile the task is suspended, and blocks no thread.
    ///
    /// - Returns: The value, or `nil` once the task is canceled.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Waits for a value that differs from the one before.
    ///
    /// Meanwhile the task is suspended, and blocks no thread.
    ///
    /// - Parameter actor: The actor to run on.
    /// - Returns: The value, or `nil` once the task is canceled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
      while await wakeUps.next(isolation: actor) != nil, !Task.isCancelled {
        let new = read()
        if let last, last.stored == new.stored || areEqual(last.value, new.value, as: Value.self) {
          continue
        }
        last = new
        return new.value
      }
      return nil
    }
  }
}

extension Setting {
  /// Returns a sequence of the value, or the default in place of nil, now and after each change.
  func updates<Value: Sendable, V: UserDefaultsSerializable>(
    default defaultValue: V? = nil, _ value: @escaping @Sendable (V?) -> Value
  ) -> DefaultUpdates<Value> {
    DefaultUpdates(listen()) {
      let new = read() ?? defaultValue
      return (value(new), Self.storedForm(of: new))
    }
  }
}

/// The current value of a setting, then each new one.
///
///     for await volume in settings.$volume.updates {
///       player.setVolume(volume)
///     }
///
/// A value comes once: the sequence leaves out a value that equals the one before. Values are equal if
/// `==` says so, or if their stored forms are equal, so `Value` need not be `Equatable`. While the loop is busy only the newest value is kept, so a slow loop misses values,
/// but never the last. The sequence ends when its task is cancelled, and never fails. Each iteration
/// is independent of the others.
public struct DefaultUpdates<Value: Sendable>: AsyncSequence, Sendable {
  /// Reads the value, and the form in which it is, or would be, stored.
  typealias Read = @Sendable () -> (value: Value, stored: PropertyListObject?)

  private let listeners: Listeners
  private let read: Read

  init(_ listeners: Listeners, read: @escaping Read) {
    self.listeners = listeners
    self.read = read
  }

  /// Creates an iterator. It listens from now on, until its task is cancelled or it goes away.
  public func makeAsyncIterator() -> Iterator {
    // To listen before the first read is to miss nothing that is written after it.
    Iterator(wakeUps: listeners.listen().makeAsyncIterator(), read: read)
  }

  /// An iteration over the values of a setting.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var wakeUps: AsyncStream<Void>.Iterator
    fileprivate let read: Read
    fileprivate var last: (value: Value, stored: PropertyListObject?)?

    /// Waits for a value that differs from the one before; nil once the task is cancelled.
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

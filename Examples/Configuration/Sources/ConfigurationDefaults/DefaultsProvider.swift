public import Configuration
public import Foundation
import Synchronization
import TypedDefaults

/// A provider of the settings in a store, for a `ConfigReader`.
///
/// ```swift
/// let config = ConfigReader(provider: DefaultsProvider(.saved))
/// let timeout = config.int(forKey: "http.timeout", default: 30)
/// ```
///
/// The key `http.timeout` is that of the setting `http.timeout`. If there is none, it is the key
/// `timeout` of a dictionary that is stored under `http`. A value has the form in which a setting of
/// its type is stored.
///
/// A value comes from the uppermost layer that has one: an administrator's managed value, a launch
/// argument, what is stored, an administrator's default, or a registered default.
public struct DefaultsProvider: ConfigProvider {
  // `UserDefaults` is documented to be thread-safe, but not every platform declares it `Sendable`.
  private nonisolated(unsafe) let store: UserDefaults
  private let lookup: Lookup

  /// Creates a provider of a store's settings.
  ///
  /// - Parameters:
  ///   - store: The store: `.saved`, `.saved(suiteName:)`, or one in memory for tests.
  ///   - prefix: The text before each key in the store, as that of a group of settings. With
  ///     `com.apple.configuration.managed.`, keys are those of the dictionary that is stored under
  ///     `com.apple.configuration.managed`.
  ///   - secrets: The keys, with the prefix, whose values reports leave out.
  ///   - encodeKey: A function that returns the key in the store, without the prefix. By default, dots
  ///     join the components.
  public init(
    _ store: UserDefaults, prefix: String = "",
    secrets: SecretsSpecifier<String, ConfigContent> = .none,
    encodeKey: @escaping @Sendable (AbsoluteConfigKey) -> String = {
      $0.components.joined(separator: ".")
    }
  ) {
    self.store = store
    lookup = Lookup(prefix: prefix, secrets: secrets, encodeKey: encodeKey)
  }

  /// The name of the provider, with its prefix.
  public var providerName: String { lookup.providerName }

  /// Returns the value that the store has in memory, which follows the file.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The type of the value.
  /// - Returns: The key in the store, and the value or `nil`.
  /// - Throws: The error of swift-configuration for a value of another type.
  public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    try lookup.value(forKey: key, type: type) { store.object(forKey: $0) }
  }

  /// Returns the value after the store has taken in what other processes have saved.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The type of the value.
  /// - Returns: The key in the store, and the value or `nil`.
  /// - Throws: The error of swift-configuration for a value of another type, or a `DefaultsIssue` if the
  ///   file cannot be locked within ten seconds.
  public func fetchValue(
    forKey key: AbsoluteConfigKey, type: ConfigType
  ) async throws -> LookupResult {
    // The lock needs a folder, which a read is not to make.
    if let file = store.fileURL, !FileManager.default.fileExists(atPath: file.path) {
      return try value(forKey: key, type: type)
    }
    return try await withCheckedThrowingContinuation { continuation in
      // Not on a thread of the tasks', because it may wait for the lock.
      Thread.detachNewThread { [self] in
        continuation.resume(
          with: Result { try store.exclusively { try value(forKey: key, type: type) } })
      }
    }
  }

  /// Calls a function with an asynchronous sequence of the present value, then each different one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The type of the value.
  ///   - updatesHandler: The function. Of several changes it may receive only the last.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function.
  public func watchValue<Return: ~Copyable>(
    forKey key: AbsoluteConfigKey, type: ConfigType,
    updatesHandler: (
      _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
    ) async throws -> Return
  ) async throws -> Return {
    try await watch(updatesHandler) { [self] in
      Result { try value(forKey: key, type: type) }
    } isSame: { old, new in
      switch (old, new) {
      case (.success(let old), .success(let new)): old == new
      case (.failure(let old), .failure(let new)): "\(old)" == "\(new)"
      default: false
      }
    }
  }

  /// Returns the values of this moment.
  ///
  /// - Returns: The snapshot.
  public func snapshot() -> any ConfigSnapshot { defaultsSnapshot }

  private var defaultsSnapshot: DefaultsSnapshot {
    DefaultsSnapshot(lookup, store.dictionaryRepresentation())
  }

  /// Calls a function with an asynchronous sequence of a snapshot now, then one after each change of a
  /// value that the provider has.
  ///
  /// - Parameter updatesHandler: The function. Of several changes it may receive only the last.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function.
  public func watchSnapshot<Return: ~Copyable>(
    updatesHandler: (
      _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
    ) async throws -> Return
  ) async throws -> Return {
    try await watch(updatesHandler) { [self] in
      defaultsSnapshot as any ConfigSnapshot
    } isSame: { old, new in
      (old as! DefaultsSnapshot).isSame(as: new as! DefaultsSnapshot)
    }
  }

  private func watch<Value: Sendable, Return: ~Copyable>(
    _ updatesHandler: (ConfigUpdatesAsyncSequence<Value, Never>) async throws -> Return,
    reading read: @escaping @Sendable () -> Value,
    isSame: @escaping @Sendable (Value, Value) -> Bool
  ) async throws -> Return {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Before the first read, so that no later change is missed.
    let observer = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: store, queue: nil
    ) { _ in continuation.yield() }
    defer { NotificationCenter.default.removeObserver(observer) }
    continuation.yield()
    let latest = Latest<Value>()
    return try await updatesHandler(
      ConfigUpdatesAsyncSequence(
        changes.compactMap {
          let new = read()
          return latest.value.withLock { old in
            if let old, isSame(old, new) { return nil }
            old = new
            return new
          }
        }))
  }
}

/// The value that a watcher has received last.
private final class Latest<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

extension DefaultsProvider: CustomStringConvertible {
  /// The name of the provider.
  public var description: String { providerName }
}

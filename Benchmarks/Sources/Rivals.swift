import Foundation

/// What is written where no library is at hand: a cast, and the default where it fails.
@propertyWrapper
struct NaiveDefault<T> {
  let key: String
  let defaultValue: T
  let userDefaults: UserDefaults

  var wrappedValue: T {
    get { userDefaults.object(forKey: key) as? T ?? defaultValue }
    nonmutating set { userDefaults.set(newValue, forKey: key) }
  }
}

/// The same for what a property list cannot hold: JSON, as data.
@propertyWrapper
struct JSONDefault<T: Codable> {
  let key: String
  let defaultValue: T
  let userDefaults: UserDefaults

  var wrappedValue: T {
    get {
      guard let data = userDefaults.data(forKey: key) else { return defaultValue }
      return (try? JSONDecoder().decode(T.self, from: data)) ?? defaultValue
    }
    nonmutating set {
      guard let data = try? JSONEncoder().encode(newValue) else { return }
      userDefaults.set(data, forKey: key)
    }
  }
}

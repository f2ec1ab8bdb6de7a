internal import Foundation

/// An instance of `UserDefaults` that goes from thread to thread. Its documentation says that it may, and not
/// every platform declares it so.
struct SharedUserDefaults: @unchecked Sendable {
  let instance: UserDefaults

  init(_ instance: UserDefaults) {
    self.instance = instance
  }
}

internal import Foundation

/// An instance of `UserDefaults` to use on several threads. Its documentation allows that, but not
/// every platform declares it `Sendable`.
struct SendableDefaults: @unchecked Sendable {
  let instance: UserDefaults

  init(_ instance: UserDefaults) {
    self.instance = instance
  }
}

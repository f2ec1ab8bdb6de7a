import Foundation
import TypedDefaults

/// `registrations`: a setting of the standard suite, and another suite's default for its key name.
func registrationsCommand() {
  let setting = WrappedDefault(wrappedValue: 1, "name")
  let optional = WrappedDefaultOptional<Int>("name")
  func show() { print(setting.wrappedValue, optional.wrappedValue.map(String.init) ?? "nil") }
  _ = WrappedDefault(wrappedValue: 2, "name", userDefaults: UserDefaults(suiteName: "other")!)
  show()
  setting.wrappedValue = 2
  show()
  setting.reset()
  show()
}

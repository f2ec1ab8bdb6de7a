import Foundation
import TypedDefaults

/// `in-memory -volume loud`: an undecodable value that happens to equal a launch argument.
func inMemoryCommand() {
  let store = UserDefaults.inMemory()
  store.set("loud", forKey: "volume")
  print(WrappedDefault(wrappedValue: 4, "volume", userDefaults: store).wrappedValue)
}

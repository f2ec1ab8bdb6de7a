import Foundation
import TypedDefaults

// A program with an asynchronous `main`, which never returns: its end is a call of `exit`.
await Task.yield()
UserDefaults.standard.set("set", for: "async")

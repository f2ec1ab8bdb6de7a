import Foundation
import TypedDefaults

/// `Probe memory STORE COUNT [keys | moved]`: groups under prefixes of their own are made, read and dropped,
/// or typed keys are read. Groups that have moved have a former prefix that is that of a group which stays.
/// Prints by how many kilobytes the process has grown.
enum MemoryCommands {
  private struct Account: SettingsGroup {
    @WrappedDefault("name") var name = "nobody"
    @WrappedDefault("age") var age = 0
    @WrappedDefault("isActive") var isActive = true
    @WrappedDefaultOptional("seen") var seen: Date?
  }

  static func run(_ arguments: some Collection<String>) {
    let store = arguments.first == "saved" ? UserDefaults.saved : .standard
    let kind = arguments.dropFirst(2).first
    let kept = kind == "moved" ? Account(in: store, prefix: "kept.", formerly: "account.") : nil
    defer { withExtendedLifetime(kept) {} }
    func use(_ number: Int) -> Int {
      if kind == "keys" { return store.value(for: .init(name: "key\(number)")) ?? 0 }
      let account =
        kind == "moved"
        ? Account(in: store, prefix: "account.\(number).", formerly: "account.")
        : Account(in: store, prefix: "account.\(number).")
      return account.name.count + account.age + (account.isActive ? 1 : 0)
        + (account.seen == nil ? 0 : 1)
    }
    for number in 0..<100 { _ = use(number) }
    let before = residentKilobytes
    for number in 100..<(Int(arguments.dropFirst().first ?? "") ?? 1000) { _ = use(number) }
    print(residentKilobytes - before)
  }

  private static var residentKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}

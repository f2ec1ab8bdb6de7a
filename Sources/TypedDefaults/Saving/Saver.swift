public import Foundation

extension UserDefaults {
  /// Returns when every change made so far is saved.
  ///
  /// There is no need to call this: changes are saved by themselves, at the latest when the program
  /// ends. It is for a program that must know that they are.
  ///
  /// - Throws: ``DefaultsIssue`` of kind ``DefaultsIssue/Kind/saveFailed`` if they could not be saved.
  ///   They stay in memory and are part of the next save.
  public func flush() throws {
    guard synchronize() else {
      throw DefaultsIssue(
        .saveFailed, key: nil, "The preferences could not be saved; the changes stay in memory.")
    }
  }
}

/// Saves what has changed.
enum Saver {
  /// Called after every change.
  static func changed(_ userDefaults: UserDefaults) {
    #if !canImport(Darwin)
      _ = savesAtExit
    #endif
  }

  #if !canImport(Darwin)
    /// On Linux, Foundation saves nothing by itself. Any instance saves the changes of all.
    private static let savesAtExit: Void = {
      atexit { UserDefaults.standard.synchronize() }
    }()
  #endif
}

public import Foundation

extension UserDefaults {
  /// The file in which the library saves the store, or `nil` if the library saves it in no file.
  ///
  /// On Linux and Android, ``saved``, `standard` and all suites have one. Use it for backups, or to
  /// show the place to a person. The folder of ``saved`` is that of all suites whose names are no
  /// paths.
  ///
  /// The file is missing until the first save, and may be a symbolic link. A store in memory, a
  /// subclass, a suite whose name holds a NUL, and every store on other platforms have none.
  ///
  /// > Important: Change settings through the store. A program that writes the file itself takes no
  /// lock, and may overwrite what other programs save at that moment.
  public var fileURL: URL? {
    Store.of(self).backend.path.map { URL(filePath: $0, directoryHint: .notDirectory) }
  }

  /// The problem with the file of the store now, or `nil` if there is none.
  ///
  /// A tool that changes the settings of other programs asks first, and leaves a damaged file to a
  /// person:
  ///
  /// ```swift
  /// let store = UserDefaults.saved(suiteName: "player")
  /// try store.exclusively {
  ///   if let issue = store.fileIssue { throw issue }
  ///   store.removeObject(forKey: "volume")
  /// }
  /// ```
  ///
  /// The issue is of kind ``DefaultsIssue/Kind/damagedFile``, for a file that is no property list, that
  /// your program may not read, or that has more than 100 MB. A missing file is no problem. Each access reads the file and
  /// reports nothing. If the file seems damaged, the access waits a tenth of a second or two for
  /// another program that may be writing it. A store without a ``fileURL`` has no problem.
  public var fileIssue: DefaultsIssue? { Store.of(self).backend.fileIssue() }
}

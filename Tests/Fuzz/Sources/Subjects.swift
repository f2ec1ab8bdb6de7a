import Foundation

@testable import TypedDefaults

/// The bytes of a preferences file. What is read is written so that it reads back, and no setting of
/// any type comes to harm by it.
struct FileSubject: Subject {
  private let store = EmptyStore()

  func test(_ input: Data) {
    guard let contents = try? PreferencesContents(parsing: input) else { return }
    guard let written = try? contents.data(),
      let read = try? PreferencesContents(parsing: written)
    else { fail("what was read cannot be written, or not be read again") }
    for (key, object) in contents.objects {
      // XML has no place for the fraction of a second.
      let inXML = try? PropertyListObject(validating: object.object, date: \.inWholeSeconds)
      expect(
        read[key] == object || read[key] == inXML, "\(key) reads back as another object")
    }
    defer { store.empty() }
    for (key, object) in contents.objects { store.userDefaults.set(object.object, forKey: key) }
    _ = store.settings.unknownKeys
    _ = store.texts
    _ = try? store.settings.exportData()
    guard let object = contents.objects.min(by: { $0.key < $1.key })?.value.object else { return }
    store.empty()
    for setting in store.all { store.userDefaults.set(object, forKey: setting.key) }
    for setting in store.all { _ = setting.description }
  }
}

/// The letter of a setting, and a text for it. A text that is taken stands for a value that can be
/// shown, assigned again, and kept in a file.
struct TextSubject: Subject {
  private let store = EmptyStore()

  func test(_ input: Data) {
    guard let letter = input.first else { return }
    let index = Int(letter &- UInt8(ascii: "A")) % 64 % store.all.count
    let text = String(decoding: input.dropFirst(), as: UTF8.self)
    test(store.all[index], text)
    // As a person may have written it into the file.
    store.userDefaults.set(text, forKey: store.all[index].key)
    _ = store.all[index].description
    store.userDefaults.removeObject(forKey: store.all[index].key)
  }

  private func test<S: DeclaredSetting>(_ setting: S, _ text: String) {
    do {
      try setting.set(text: text)
    } catch {
      _ = "\(error)"
      return
    }
    setting.wrappedValue = setting.wrappedValue
    _ = setting.description
    guard let text = setting.text else { fail("\(setting.key) has no text") }
    if setting.key.hasPrefix("some") {
      expect(text.lowercased() != "nan", "\(setting.key) has a value that lies in no range")
    }
    do {
      try setting.set(text: text)
      expect(
        setting.text == text || text.hasPrefix("{") && text.contains(negativeZero),
        "\(setting.key): \(text) is read as \(setting.text ?? "nil")")
      let object = PropertyListObject(store.userDefaults.object(forKey: setting.key)!)
      var contents = PreferencesContents()
      try contents.set(object.withFractionsAsText(), for: setting.key)
      let read = try PreferencesContents(parsing: contents.data())[setting.key]
      store.userDefaults.set(read?.object, forKey: setting.key)
      expect(
        setting.text == text || text.contains(negativeZero),
        "\(setting.key): \(text) is read from a file as \(setting.text ?? "nil")")
    } catch {
      fail("\(error)")
    }
  }
}

/// The data of an import. What is imported can be exported, and imported again.
struct ImportSubject: Subject {
  private let store = EmptyStore()
  private let other = EmptyStore()

  func test(_ input: Data) {
    defer {
      store.empty()
      other.empty()
    }
    do {
      try store.settings.importData(input)
    } catch {
      _ = "\(error)"
      expect(store.texts.isEmpty, "an import that failed has changed settings")
      return
    }
    do {
      try other.settings.importData(store.settings.exportData())
      for (key, text) in store.texts where !text.contains(negativeZero) {
        expect(
          other.texts[key] == text, "\(key): an export of \(text) is imported as another value")
      }
    } catch {
      fail("\(error)")
    }
  }
}

/// Neither a file nor a text of a dictionary has one: it reads back as zero.
private let negativeZero = "-0.0"

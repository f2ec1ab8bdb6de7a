@_exported import ObjectiveC

public struct Selector: @unchecked Sendable { var ptr: OpaquePointer }
extension NSObject: Equatable, Hashable {
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
@frozen public struct ObjCBool: Sendable { var value: Int8 }
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(value: x ? 1 : 0) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.value != 0 }

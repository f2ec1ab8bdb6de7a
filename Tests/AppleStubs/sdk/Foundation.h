// Written from Apple's documentation alone: only what the library uses.
#pragma once
#include "Darwin.h"
#include "ObjectiveC.h"
#pragma clang arc_cf_code_audited begin
typedef const void *CFTypeRef;
typedef unsigned long CFTypeID;
CFTypeID CFGetTypeID(CFTypeRef cf);
CFTypeID CFBooleanGetTypeID(void);
#pragma clang assume_nonnull begin
typedef const struct __attribute__((objc_bridge(NSString))) __CFString *CFStringRef;
typedef CFTypeRef CFPropertyListRef;
extern const CFStringRef kCFPreferencesAnyApplication;
extern const CFStringRef kCFPreferencesCurrentApplication;
extern const CFStringRef kCFPreferencesAnyHost;
extern const CFStringRef kCFPreferencesCurrentHost;
extern const CFStringRef kCFPreferencesAnyUser;
extern const CFStringRef kCFPreferencesCurrentUser;
CFPropertyListRef _Nullable CFPreferencesCopyValue(
  CFStringRef key, CFStringRef applicationID, CFStringRef userName, CFStringRef hostName);
CFPropertyListRef _Nullable CFPreferencesCopyAppValue(CFStringRef key, CFStringRef applicationID);
#pragma clang assume_nonnull end
#pragma clang arc_cf_code_audited end
#define SENDABLE __attribute__((swift_attr("@Sendable")))
#ifdef SENDABLE_USER_DEFAULTS
#define USER_DEFAULTS SENDABLE
#else
#define USER_DEFAULTS
#endif
#define DESIGNATED __attribute__((objc_designated_initializer))
#define NAME(name) __attribute__((swift_name(name)))
#define BRIDGED(name) __attribute__((swift_bridge(name)))
#pragma clang assume_nonnull begin
typedef long NSInteger;
typedef unsigned long NSUInteger;
@class NSString, NSURL, NSData, NSDate, NSError;

BRIDGED("Swift.Array") @interface NSArray<__covariant E> : NSObject
@end
BRIDGED("Swift.Dictionary") @interface NSDictionary<__covariant K, __covariant V> : NSObject
@end
@interface NSNull : NSObject
@end

SENDABLE @interface NSNumber : NSObject
@property (readonly) const char *_Nonnull objCType;
@property (readonly) BOOL boolValue;
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue NAME("intValue");
@property (readonly) NSString *stringValue;
@end
BRIDGED("Swift.String") @interface NSString : NSObject
- (instancetype)initWithString:(NSString *)string;
@property (readonly) BOOL boolValue;
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue;
@property (readonly) NSString *stringByExpandingTildeInPath NAME("expandingTildeInPath");
@end
BRIDGED("Data") SENDABLE @interface NSData : NSObject
@end
BRIDGED("Date") SENDABLE @interface NSDate : NSObject
@end
BRIDGED("URL") SENDABLE @interface NSURL : NSObject
- (nullable instancetype)initWithString:(NSString *)string relativeToURL:(nullable NSURL *)base
  DESIGNATED;
@property (readonly, copy) NSString *relativeString;
@property (nullable, readonly, copy) NSURL *baseURL NAME("baseURL");
@end
SENDABLE @interface NSError : NSObject
@property (readonly) NSDictionary<NSString *, id> *userInfo;
@end
extern NSString *const NSDebugDescriptionErrorKey;

SENDABLE NAME("Thread") @interface NSThread : NSObject
@property (class, readonly) NSThread *currentThread NAME("current");
+ (void)detachNewThreadWithBlock:(void (SENDABLE ^)(void))block NAME("detachNewThread(_:)");
+ (void)sleepForTimeInterval:(double)seconds NAME("sleep(forTimeInterval:)");
@end

NAME("NSLocking") @protocol NSLocking
- (void)lock;
- (void)unlock;
@end
SENDABLE @interface NSLock : NSObject <NSLocking>
@end
SENDABLE @interface NSRecursiveLock : NSObject <NSLocking>
@end

typedef enum __attribute__((flag_enum, enum_extensibility(open))) NSKeyValueObservingOptions
  : NSUInteger { NSKeyValueObservingOptionNew = 1 } NSKeyValueObservingOptions;
typedef NSString *NSKeyValueChangeKey __attribute__((swift_newtype(enum)));
@interface NSObject (KeyValueObserving)
- (void)addObserver:(NSObject *)observer forKeyPath:(NSString *)keyPath
  options:(NSKeyValueObservingOptions)options context:(nullable void *)context;
- (void)removeObserver:(NSObject *)observer forKeyPath:(NSString *)keyPath;
- (void)removeObserver:(NSObject *)observer forKeyPath:(NSString *)keyPath
  context:(nullable void *)context;
- (void)observeValueForKeyPath:(nullable NSString *)keyPath ofObject:(nullable id)object
  change:(nullable NSDictionary<NSKeyValueChangeKey, id> *)change context:(nullable void *)context;
@end

NAME("Notification") @interface NSNotification : NSObject
@end
typedef NSString *NSNotificationName __attribute__((swift_newtype(struct)))
  NAME("NSNotification.Name");
NAME("NotificationCenter") SENDABLE @interface NSNotificationCenter : NSObject
@property (class, readonly) NSNotificationCenter *defaultCenter NAME("default");
- (void)addObserver:(id)observer selector:(SEL)selector
  name:(nullable NSNotificationName)name object:(nullable id)object;
- (void)postNotificationName:(NSNotificationName)name object:(nullable id)object
  NAME("post(name:object:)");
@end

NAME("UserDefaults") USER_DEFAULTS @interface NSUserDefaults : NSObject
@property (class, readonly) NSUserDefaults *standardUserDefaults NAME("standard");
- (instancetype)init;
- (nullable instancetype)initWithSuiteName:(nullable NSString *)suiteName DESIGNATED;
- (nullable id)objectForKey:(NSString *)name;
- (nullable NSString *)stringForKey:(NSString *)name;
- (nullable NSArray *)arrayForKey:(NSString *)name;
- (nullable NSDictionary<NSString *, id> *)dictionaryForKey:(NSString *)name;
- (nullable NSData *)dataForKey:(NSString *)name;
- (nullable NSArray<NSString *> *)stringArrayForKey:(NSString *)name;
- (NSInteger)integerForKey:(NSString *)name;
- (float)floatForKey:(NSString *)name;
- (double)doubleForKey:(NSString *)name;
- (BOOL)boolForKey:(NSString *)name;
- (nullable NSURL *)URLForKey:(NSString *)name;
- (void)setObject:(nullable id)value forKey:(NSString *)name NAME("set(_:forKey:)");
- (void)setInteger:(NSInteger)value forKey:(NSString *)name NAME("set(_:forKey:)");
- (void)setFloat:(float)value forKey:(NSString *)name NAME("set(_:forKey:)");
- (void)setDouble:(double)value forKey:(NSString *)name NAME("set(_:forKey:)");
- (void)setBool:(BOOL)value forKey:(NSString *)name NAME("set(_:forKey:)");
- (void)setURL:(nullable NSURL *)url forKey:(NSString *)name NAME("set(_:forKey:)");
- (void)removeObjectForKey:(NSString *)name;
- (void)registerDefaults:(NSDictionary<NSString *, id> *)dictionary NAME("register(defaults:)");
- (NSDictionary<NSString *, id> *)dictionaryRepresentation;
@property (readonly, copy) NSArray<NSString *> *volatileDomainNames;
- (NSDictionary<NSString *, id> *)volatileDomainForName:(NSString *)name;
- (void)setVolatileDomain:(NSDictionary<NSString *, id> *)domain forName:(NSString *)name;
- (void)removeVolatileDomainForName:(NSString *)name;
- (nullable NSDictionary<NSString *, id> *)persistentDomainForName:(NSString *)name;
- (void)setPersistentDomain:(NSDictionary<NSString *, id> *)domain forName:(NSString *)name;
- (void)removePersistentDomainForName:(NSString *)name;
- (BOOL)synchronize;
- (BOOL)objectIsForcedForKey:(NSString *)key NAME("objectIsForced(forKey:)");
@end
extern NSNotificationName const NSUserDefaultsDidChangeNotification
  NAME("NSUserDefaults.didChangeNotification");
extern NSString *const NSArgumentDomain NAME("NSUserDefaults.argumentDomain");
extern NSString *const NSRegistrationDomain NAME("NSUserDefaults.registrationDomain");

@interface NSKeyedArchiver : NSObject
+ (nullable NSData *)archivedDataWithRootObject:(id)object requiringSecureCoding:(BOOL)secure
  error:(NSError *_Nullable *_Nullable)error;
@end
typedef enum __attribute__((enum_extensibility(open))) NSPropertyListFormat
  : NSUInteger {
  NSPropertyListXMLFormat_v1_0 NAME("xml") = 100,
  NSPropertyListBinaryFormat_v1_0 NAME("binary") = 200
} NSPropertyListFormat NAME("PropertyListSerialization.PropertyListFormat");
typedef enum __attribute__((flag_enum, enum_extensibility(open))) NSPropertyListMutabilityOptions
  : NSUInteger { NSPropertyListMutableContainers NAME("mutableContainers") = 1 }
  NSPropertyListMutabilityOptions NAME("PropertyListSerialization.MutabilityOptions");
typedef NSPropertyListMutabilityOptions NSPropertyListReadOptions
  NAME("PropertyListSerialization.ReadOptions");
typedef NSUInteger NSPropertyListWriteOptions NAME("PropertyListSerialization.WriteOptions");
NAME("PropertyListSerialization") @interface NSPropertyListSerialization : NSObject
+ (BOOL)propertyList:(id)list isValidForFormat:(NSPropertyListFormat)format;
+ (nullable NSData *)dataWithPropertyList:(id)list format:(NSPropertyListFormat)format
  options:(NSPropertyListWriteOptions)options error:(NSError *_Nullable *_Nullable)error
  NAME("data(fromPropertyList:format:options:)");
+ (nullable id)propertyListWithData:(NSData *)data options:(NSPropertyListReadOptions)options
  format:(nullable NSPropertyListFormat *)format error:(NSError *_Nullable *_Nullable)error
  NAME("propertyList(from:options:format:)");
@end
typedef enum __attribute__((flag_enum, enum_extensibility(open))) NSJSONWritingOptions
  : NSUInteger { NSJSONWritingFragmentsAllowed NAME("fragmentsAllowed") = 4 } NSJSONWritingOptions
  NAME("JSONSerialization.WritingOptions");
typedef enum __attribute__((flag_enum, enum_extensibility(open))) NSJSONReadingOptions
  : NSUInteger { NSJSONReadingFragmentsAllowed NAME("fragmentsAllowed") = 4 } NSJSONReadingOptions
  NAME("JSONSerialization.ReadingOptions");
NAME("JSONSerialization") @interface NSJSONSerialization : NSObject
+ (BOOL)isValidJSONObject:(id)object;
+ (nullable NSData *)dataWithJSONObject:(id)object options:(NSJSONWritingOptions)options
  error:(NSError *_Nullable *_Nullable)error;
+ (nullable id)JSONObjectWithData:(NSData *)data options:(NSJSONReadingOptions)options
  error:(NSError *_Nullable *_Nullable)error NAME("jsonObject(with:options:)");
@end
NAME("ProcessInfo") SENDABLE @interface NSProcessInfo : NSObject
@property (class, readonly) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly, copy) NSArray<NSString *> *arguments;
@property (readonly, copy) NSString *processName;
@end
NAME("FileHandle") SENDABLE @interface NSFileHandle : NSObject
@property (class, readonly) NSFileHandle *fileHandleWithStandardError NAME("standardError");
@end
#pragma clang assume_nonnull end

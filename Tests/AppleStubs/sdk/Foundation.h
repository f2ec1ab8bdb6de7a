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
- (instancetype)init;
@end

SENDABLE @interface NSNumber : NSObject
- (instancetype)initWithBool:(BOOL)value NAME("init(value:)");
- (instancetype)initWithInteger:(NSInteger)value NAME("init(value:)");
- (instancetype)initWithDouble:(double)value NAME("init(value:)");
- (instancetype)initWithFloat:(float)value NAME("init(value:)");
- (instancetype)initWithUnsignedLongLong:(unsigned long long)value NAME("init(value:)");
- (instancetype)initWithChar:(char)value NAME("init(value:)");
@property (readonly) const char *_Nonnull objCType;
@property (readonly) BOOL boolValue;
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue NAME("intValue");
@property (readonly) NSString *stringValue;
@end
SENDABLE @interface NSDecimalNumber : NSNumber
@end
BRIDGED("Swift.String") @interface NSString : NSObject
- (instancetype)initWithString:(NSString *)string;
@property (readonly) BOOL boolValue;
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue;
@property (readonly) NSString *stringByExpandingTildeInPath NAME("expandingTildeInPath");
@property (readonly) NSString *stringByAbbreviatingWithTildeInPath
  NAME("abbreviatingWithTildeInPath");
@end
BRIDGED("Data") SENDABLE @interface NSData : NSObject
@end
BRIDGED("Date") SENDABLE @interface NSDate : NSObject
@end
BRIDGED("URL") SENDABLE @interface NSURL : NSObject
- (nullable instancetype)initWithString:(NSString *)string relativeToURL:(nullable NSURL *)base
  DESIGNATED;
- (nullable instancetype)initWithString:(NSString *)string;
- (instancetype)initFileURLWithPath:(NSString *)path;
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
- (instancetype)init;
- (instancetype)initWithBlock:(void (SENDABLE ^)(void))block NAME("init(block:)");
- (void)start;
@property (class, readonly) BOOL isMainThread;
@end

NAME("NSLocking") @protocol NSLocking
- (void)lock;
- (void)unlock;
@end
SENDABLE @interface NSLock : NSObject <NSLocking>
@end
SENDABLE @interface NSRecursiveLock : NSObject <NSLocking>
- (BOOL)lockBeforeDate:(NSDate *)limit __attribute__((swift_name("lock(before:)")));
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
- (void)willChangeValueForKey:(NSString *)key NAME("willChangeValue(forKey:)");
- (void)didChangeValueForKey:(NSString *)key NAME("didChangeValue(forKey:)");
- (void)observeValueForKeyPath:(nullable NSString *)keyPath ofObject:(nullable id)object
  change:(nullable NSDictionary<NSKeyValueChangeKey, id> *)change context:(nullable void *)context;
@end

BRIDGED("Notification") @interface NSNotification : NSObject
@end
typedef NSString *NSNotificationName __attribute__((swift_newtype(struct)))
  NAME("NSNotification.Name");
NAME("OperationQueue") SENDABLE @interface NSOperationQueue : NSObject
- (instancetype)init;
@property NSInteger maxConcurrentOperationCount;
- (void)addOperationWithBlock:(void (SENDABLE ^)(void))block NAME("addOperation(_:)");
- (void)waitUntilAllOperationsAreFinished;
@end
NAME("NotificationCenter") SENDABLE @interface NSNotificationCenter : NSObject
@property (class, readonly) NSNotificationCenter *defaultCenter NAME("default");
- (void)addObserver:(id)observer selector:(SEL)selector
  name:(nullable NSNotificationName)name object:(nullable id)object;
- (void)postNotificationName:(NSNotificationName)name object:(nullable id)object
  NAME("post(name:object:)");
- (id)addObserverForName:(nullable NSNotificationName)name object:(nullable id)object
  queue:(nullable NSOperationQueue *)queue
  usingBlock:(void (SENDABLE ^)(NSNotification *notification))block
  NAME("addObserver(forName:object:queue:using:)");
- (void)removeObserver:(id)observer;
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
extern NSString *const NSGlobalDomain NAME("NSUserDefaults.globalDomain");
extern NSString *const NSArgumentDomain NAME("NSUserDefaults.argumentDomain");
extern NSString *const NSRegistrationDomain NAME("NSUserDefaults.registrationDomain");

@interface NSKeyedArchiver : NSObject
+ (nullable NSData *)archivedDataWithRootObject:(id)object requiringSecureCoding:(BOOL)secure
  error:(NSError *_Nullable *_Nullable)error;
@end
typedef enum __attribute__((enum_extensibility(open)))
  NAME("NSPropertyListSerialization.PropertyListFormat") NSPropertyListFormat
  : NSUInteger {
  NSPropertyListXMLFormat_v1_0 NAME("xml") = 100,
  NSPropertyListBinaryFormat_v1_0 NAME("binary") = 200
} NSPropertyListFormat;
typedef enum __attribute__((flag_enum, enum_extensibility(open))) NSPropertyListMutabilityOptions
  : NSUInteger { NSPropertyListMutableContainers NAME("mutableContainers") = 1 }
  NSPropertyListMutabilityOptions NAME("NSPropertyListSerialization.MutabilityOptions");
typedef NSPropertyListMutabilityOptions NSPropertyListReadOptions
  NAME("NSPropertyListSerialization.ReadOptions");
typedef NSUInteger NSPropertyListWriteOptions NAME("NSPropertyListSerialization.WriteOptions");
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
  NAME("NSJSONSerialization.WritingOptions");
typedef enum __attribute__((flag_enum, enum_extensibility(open))) NSJSONReadingOptions
  : NSUInteger { NSJSONReadingFragmentsAllowed NAME("fragmentsAllowed") = 4 } NSJSONReadingOptions
  NAME("NSJSONSerialization.ReadingOptions");
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
@property (class, readonly) NSFileHandle *fileHandleWithStandardOutput NAME("standardOutput");
@property (class, readonly) NSFileHandle *fileHandleWithStandardInput NAME("standardInput");
- (instancetype)initWithFileDescriptor:(int)descriptor closeOnDealloc:(BOOL)closes;
@property (readonly) int fileDescriptor;
@property (readonly, copy) NSData *availableData;
- (NSData *)readDataToEndOfFile;
- (void)writeData:(NSData *)data NAME("write(_:)");
- (BOOL)closeAndReturnError:(out NSError **)error NAME("close()");
- (BOOL)seekToOffset:(unsigned long long)offset error:(out NSError **)error NAME("seek(toOffset:)");
@end

// What the tests use.
typedef NSString *NSFileAttributeKey __attribute__((swift_newtype(struct)))
  NAME("FileAttributeKey");
extern NSFileAttributeKey const NSFilePosixPermissions NAME("NSFileAttributeKey.posixPermissions");
typedef NSString *NSURLResourceKey __attribute__((swift_newtype(struct))) NAME("URLResourceKey");
NAME("NSFileManager.DirectoryEnumerator") @interface NSDirectoryEnumerator : NSObject
- (nullable id)nextObject;
@end
NAME("FileManager") SENDABLE @interface NSFileManager : NSObject
@property (class, readonly) NSFileManager *defaultManager NAME("default");
- (BOOL)isExecutableFileAtPath:(NSString *)path NAME("isExecutableFile(atPath:)");
- (BOOL)fileExistsAtPath:(NSString *)path NAME("fileExists(atPath:)");
- (BOOL)createDirectoryAtURL:(NSURL *)url withIntermediateDirectories:(BOOL)intermediates
  attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
  error:(NSError *_Nullable *_Nullable)error;
- (BOOL)createDirectoryAtPath:(NSString *)path withIntermediateDirectories:(BOOL)intermediates
  attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
  error:(NSError *_Nullable *_Nullable)error;
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes
  ofItemAtPath:(NSString *)path error:(NSError *_Nullable *_Nullable)error;
- (BOOL)removeItemAtURL:(NSURL *)url error:(NSError *_Nullable *_Nullable)error;
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError *_Nullable *_Nullable)error;
- (BOOL)moveItemAtPath:(NSString *)from toPath:(NSString *)to error:(NSError *_Nullable *_Nullable)error;
- (nullable NSData *)contentsAtPath:(NSString *)path NAME("contents(atPath:)");
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path
  error:(NSError *_Nullable *_Nullable)error;
@end
typedef enum __attribute__((enum_extensibility(closed))) NAME("NSTask.TerminationReason")
  NSTaskTerminationReason : NSInteger {
  NSTaskTerminationReasonExit = 1,
  NSTaskTerminationReasonUncaughtSignal = 2
} NSTaskTerminationReason;
NAME("Process") SENDABLE @interface NSTask : NSObject
- (instancetype)init;
@property (nullable, copy) NSURL *executableURL;
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, copy) NSURL *currentDirectoryURL;
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
@property (readonly) int processIdentifier;
@property (readonly, getter=isRunning) BOOL running;
@property (readonly) int terminationStatus;
@property (readonly) NSTaskTerminationReason terminationReason;
@property (nullable, copy) void (^terminationHandler)(NSTask *) SENDABLE;
- (BOOL)launchAndReturnError:(NSError *_Nullable *_Nullable)error NAME("run()");
- (void)terminate;
- (void)waitUntilExit;
@end
NAME("Pipe") SENDABLE @interface NSPipe : NSObject
- (instancetype)init;
@property (readonly, retain) NSFileHandle *fileHandleForReading;
@property (readonly, retain) NSFileHandle *fileHandleForWriting;
@end
NAME("Bundle") SENDABLE @interface NSBundle : NSObject
@property (class, readonly) NSBundle *mainBundle NAME("main");
+ (NSBundle *)bundleForClass:(Class)type NAME("init(for:)");
@property (readonly, copy) NSURL *bundleURL;
@property (readonly, copy, nullable) NSString *bundleIdentifier;
@end
NSString *NSTemporaryDirectory(void);
NSString *NSHomeDirectory(void);
@protocol NSSecureCoding
@end
@interface NSSet<__covariant E> : NSObject <NSSecureCoding>
- (instancetype)initWithArray:(NSArray<E> *)array;
@end
@interface NSArray<__covariant E> ()
- (instancetype)initWithArray:(NSArray<E> *)array;
@end
@interface NSDictionary<__covariant K, __covariant V> ()
- (instancetype)initWithDictionary:(NSDictionary<K, V> *)dictionary;
@end
@interface NSDate ()
- (instancetype)init;
@end
@interface NSString () <NSSecureCoding>
@end
@interface NSArray<__covariant E> () <NSSecureCoding>
@end
@interface NSDictionary<__covariant K, __covariant V> () <NSSecureCoding>
@end
@interface NSNumber () <NSSecureCoding>
@end
@interface NSURL () <NSSecureCoding>
@end
@interface NSDate () <NSSecureCoding>
@end
#pragma clang assume_nonnull end

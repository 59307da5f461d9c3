internal import CSystemd
internal import Glibc

/// A message of the bus.
///
/// Every read checks the type, since anybody may have written the message.
///
/// After a failed write it is `isBroken`, and is never sent.
@safe package final class BusMessage {
    let message: OpaquePointer
    package internal(set) var isBroken = false
    /// Whether a text or a list in it was skipped because it is too long.
    package internal(set) var isTooLong = false
    /// The reader's record of the memory that the message uses; it ends with the message.
    package var weight: AnyObject?

    init(owning message: OpaquePointer) { unsafe self.message = message }

    /// A call.
    package init?(
        to bus: Bus,
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ method: String
    ) {
        var call: OpaquePointer?
        guard
            unsafe sd_bus_message_new_method_call(bus.bus, &call, destination, path, interface, method) >= 0,
            let call = unsafe call
        else { return nil }
        unsafe message = call
    }

    /// Creates a signal; with a destination, to that connection only.
    package init?(
        signalOf bus: Bus,
        _ path: String,
        _ interface: String,
        _ member: String,
        to destination: String? = nil
    ) {
        var signal: OpaquePointer?
        guard unsafe sd_bus_message_new_signal(bus.bus, &signal, path, interface, member) >= 0,
            let signal = unsafe signal
        else { return nil }
        unsafe message = signal
        if let destination { isBroken = unsafe sd_bus_message_set_destination(signal, destination) < 0 }
    }

    /// Creates the response to a call.
    init?(answering call: BusMessage) {
        var reply: OpaquePointer?
        guard unsafe sd_bus_message_new_method_return(call.message, &reply) >= 0, let reply = unsafe reply
        else { return nil }
        unsafe message = reply
    }

    /// Creates the error response to a call.
    init?(refusing call: BusMessage, _ error: BusError, _ text: String) {
        var reply: OpaquePointer?
        let isMade = unsafe error.name.withCString { name in
            unsafe text.withCString { text in
                var error = unsafe sd_bus_error(name: name, message: text, _need_free: 0)
                return unsafe sd_bus_message_new_method_error(call.message, &reply, &error) >= 0
            }
        }
        guard isMade, let reply = unsafe reply else { return nil }
        unsafe message = reply
    }

    /// Makes libsystemd wipe its copy on release, because the message has a secret.
    package func markSensitive() { isBroken = unsafe sd_bus_message_sensitive(message) < 0 || isBroken }

    static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }

    deinit { _ = unsafe sd_bus_message_unref(message) }
}

extension BusMessage {
    package var path: String? { unsafe Self.text(sd_bus_message_get_path(message)) }
    package var interface: String? { unsafe Self.text(sd_bus_message_get_interface(message)) }
    package var member: String? { unsafe Self.text(sd_bus_message_get_member(message)) }
    /// The sending connection, as the bus states it.
    package var sender: String? { unsafe Self.text(sd_bus_message_get_sender(message)) }
    /// The types of the content.
    package var signature: String { unsafe Self.text(sd_bus_message_get_signature(message, 1)) ?? "" }

    package var isCall: Bool { unsafe sd_bus_message_is_method_call(message, nil, nil) > 0 }
    package var isError: Bool { unsafe sd_bus_message_is_method_error(message, nil) > 0 }

    /// The name of an error; nil for other messages.
    package var errorName: String? {
        guard let error = unsafe sd_bus_message_get_error(message) else { return nil }
        return unsafe Self.text(error.pointee.name)
    }

    package func isSignal(_ interface: String, _ member: String) -> Bool {
        unsafe sd_bus_message_is_signal(message, interface, member) > 0
    }

    /// Whether the caller waits for a response.
    package var wantsAnswer: Bool { unsafe sd_bus_message_get_expect_reply(message) > 0 }

    /// The number of the call that this message answers; nil for other messages.
    package var answers: UInt64? {
        var cookie: UInt64 = 0
        return unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? cookie : nil
    }
}

/// The name of an error on the bus.
package struct BusError: Equatable, Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    private init(standard name: String) { self.name = "org.freedesktop.DBus.Error." + name }

    package static let accessDenied = BusError(standard: "AccessDenied")
    package static let failed = BusError(standard: "Failed")
    package static let invalidArguments = BusError(standard: "InvalidArgs")
    package static let limitsExceeded = BusError(standard: "LimitsExceeded")
    package static let notSupported = BusError(standard: "NotSupported")
    package static let readOnly = BusError(standard: "PropertyReadOnly")
    package static let unknownInterface = BusError(standard: "UnknownInterface")
    package static let unknownMethod = BusError(standard: "UnknownMethod")
    package static let unknownProperty = BusError(standard: "UnknownProperty")
}

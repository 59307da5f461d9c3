internal import CSystemd
internal import Glibc

/// A message of the bus; every read checks the type, as anybody may have written it.
@safe final class BusMessage {
    private let message: OpaquePointer

    init(owning message: OpaquePointer) { unsafe self.message = message }

    var path: String? { unsafe sd_bus_message_get_path(message).map { unsafe String(cString: $0) } }

    func isSignal(_ interface: String, _ member: String) -> Bool {
        unsafe sd_bus_message_is_signal(message, interface, member) > 0
    }

    func append(_ text: String) -> Bool {
        unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text) >= 0
    }

    /// A text, or the path of an object.
    func text(_ type: Character = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(message, Self.code(type), &text) > 0,
            let text = unsafe text
        else { return nil }
        return unsafe String(cString: text)
    }

    func number() -> UInt32? {
        var number: UInt32 = 0
        return unsafe sd_bus_message_read_basic(message, Self.code("u"), &number) > 0 ? number : nil
    }

    func bool() -> Bool? {
        var value: Int32 = 0
        return unsafe sd_bus_message_read_basic(message, Self.code("b"), &value) > 0 ? value != 0 : nil
    }

    /// A descriptor of its own; the message keeps and closes the one in it.
    func descriptor() -> Int32? {
        var number: Int32 = -1
        guard unsafe sd_bus_message_read_basic(message, Self.code("h"), &number) > 0 else { return nil }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : nil
    }

    /// Reads within a list, a structure or a value of any type; false when there is none, or none of this type.
    func enter(_ type: Character, _ contents: String) -> Bool {
        unsafe sd_bus_message_enter_container(message, Self.code(type), contents) > 0
    }

    func leave() { _ = unsafe sd_bus_message_exit_container(message) }

    func skip(_ types: String) { _ = unsafe sd_bus_message_skip(message, types) }

    private static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

    deinit { _ = unsafe sd_bus_message_unref(message) }
}

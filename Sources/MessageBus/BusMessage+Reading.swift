internal import CSystemd
internal import Glibc

extension BusMessage {
    /// The length of the longest text that is read, in bytes.
    private static let longestText = 16 << 10

    /// Reads a text or an object path; nil if the next value is something else, or too long.
    package func text(_ type: Character = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(message, Self.code(type), &text) > 0,
            let text = unsafe text
        else { return nil }
        guard unsafe strnlen(text, Self.longestText + 1) <= Self.longestText else {
            isTooLong = true
            return nil
        }
        return unsafe String(cString: text)
    }

    package func number() -> UInt32? {
        var number: UInt32 = 0
        return unsafe sd_bus_message_read_basic(message, Self.code("u"), &number) > 0 ? number : nil
    }

    package func bool() -> Bool? {
        var value: Int32 = 0
        return unsafe sd_bus_message_read_basic(message, Self.code("b"), &value) > 0 ? value != 0 : nil
    }

    /// Duplicates the next descriptor; the message still owns and closes its own.
    package func descriptor() -> Int32? {
        var number: Int32 = -1
        guard unsafe sd_bus_message_read_basic(message, Self.code("h"), &number) > 0 else { return nil }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : nil
    }

    /// Passes the next list of bytes to `body` without a copy; nil if the next value is something else.
    package func bytes<R>(_ body: (RawSpan) -> R) -> R? {
        var start: UnsafeRawPointer?
        var count = 0
        guard unsafe sd_bus_message_read_array(message, Self.code("y"), &start, &count) >= 0 else {
            return nil
        }
        // An empty list may have no address.
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count)
        return body(unsafe bytes.bytes)
    }

    /// Enters a list, a structure or a variant; false if the next value is something else.
    package func enter(_ type: Character, _ contents: String) -> Bool {
        unsafe sd_bus_message_enter_container(message, Self.code(type), contents) > 0
    }

    package func leave() { _ = unsafe sd_bus_message_exit_container(message) }

    package func skip(_ types: String) { _ = unsafe sd_bus_message_skip(message, types) }

    /// The type of the value within the next variant.
    package var nextVariant: String? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_peek_type(message, &type, &contents) > 0, type == Self.code("v") else {
            return nil
        }
        return unsafe Self.text(contents)
    }

    /// Reads a list of texts or paths; nil if the next value is something else, or has more than `limit` elements.
    package func texts(_ type: Character = "s", limit: Int) -> [String]? {
        guard enter("a", String(type)) else { return nil }
        var all: [String] = []
        while let text = text(type) {
            guard all.count < limit else {
                isTooLong = true
                return nil
            }
            all.append(text)
        }
        guard !isTooLong else { return nil }
        leave()
        return all
    }

    /// Reads a list of pairs of texts; nil if the next value is something else, has more than `limit` pairs, or
    /// repeats a name.
    package func pairs(limit: Int) -> [String: String]? {
        guard enter("a", "{ss}") else { return nil }
        var all: [String: String] = [:]
        while enter("e", "ss") {
            isTooLong = isTooLong || all.count == limit
            guard !isTooLong, let name = text(), let value = text(),
                all.updateValue(value, forKey: name) == nil
            else { return nil }
            leave()
        }
        leave()
        return all
    }

}

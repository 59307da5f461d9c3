internal import CSystemd
internal import Glibc

extension BusMessage {
    /// Bytes in the longest text that is read.
    private static let longestText = 16 << 10

    /// A text, or the path of an object; nil when none comes next, or a long one.
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

    /// A descriptor of its own; the message keeps and closes the one in it.
    package func descriptor() -> Int32? {
        var number: Int32 = -1
        guard unsafe sd_bus_message_read_basic(message, Self.code("h"), &number) > 0 else { return nil }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : nil
    }

    /// A list of bytes, passed to `body` where it lies; nil when none comes next.
    package func bytes<R>(_ body: (RawSpan) -> R) -> R? {
        var start: UnsafeRawPointer?
        var count = 0
        guard unsafe sd_bus_message_read_array(message, Self.code("y"), &start, &count) >= 0 else {
            return nil
        }
        // An empty list may have no place.
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count)
        return body(unsafe bytes.bytes)
    }

    /// Reads within a list, a structure or a value of any type; false when there is none, or none of this type.
    package func enter(_ type: Character, _ contents: String) -> Bool {
        unsafe sd_bus_message_enter_container(message, Self.code(type), contents) > 0
    }

    package func leave() { _ = unsafe sd_bus_message_exit_container(message) }

    package func skip(_ types: String) { _ = unsafe sd_bus_message_skip(message, types) }

    /// The type of the value within the variant that comes next.
    package var nextVariant: String? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_peek_type(message, &type, &contents) > 0, type == Self.code("v") else {
            return nil
        }
        return unsafe Self.text(contents)
    }

    /// A list of texts or of paths; nil when none comes next, or one of more than `limit`.
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

    /// A list of pairs of texts; nil when none comes next, for one of more than `limit`, and for a name that is there
    /// twice.
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

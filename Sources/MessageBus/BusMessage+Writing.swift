internal import CSystemd
internal import Glibc

extension BusMessage {
    private func note(_ code: Int32) { if code < 0 { isBroken = true } }

    /// Marks the message as broken: it is never sent.
    package func breakOff() { isBroken = true }

    /// Adds a text; returns false if it cannot be written.
    package func append(_ text: String) -> Bool {
        put(text)
        return !isBroken
    }

    /// Adds a text, a path or a signature.
    package func put(_ text: String, _ type: Character = "s") {
        note(unsafe sd_bus_message_append_basic(message, Self.code(type), text))
    }

    package func put(_ number: UInt32) {
        var number = number
        note(unsafe sd_bus_message_append_basic(message, Self.code("u"), &number))
    }

    package func put(_ number: UInt64) {
        var number = number
        note(unsafe sd_bus_message_append_basic(message, Self.code("t"), &number))
    }

    package func put(_ value: Bool) {
        var value: Int32 = value ? 1 : 0
        note(unsafe sd_bus_message_append_basic(message, Self.code("b"), &value))
    }

    /// Adds a list of bytes.
    package func put(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { bytes in
            note(unsafe sd_bus_message_append_array(message, Self.code("y"), bytes.baseAddress, bytes.count))
        }
    }

    /// Adds a list of paths.
    package func put(paths: [String]) {
        container("a", "o") { for path in paths { put(path, "o") } }
    }

    /// Adds a list of pairs of texts, in the order of their names.
    package func put(pairs: [String: String]) {
        container("a", "{ss}") {
            for (name, value) in pairs.sorted(by: { $0.key < $1.key }) {
                container("e", "ss") {
                    put(name)
                    put(value)
                }
            }
        }
    }

    /// Adds a list, a structure, an entry or a variant; `body` writes its content.
    package func container(_ type: Character, _ contents: String, _ body: () -> Void) {
        note(unsafe sd_bus_message_open_container(message, Self.code(type), contents))
        guard !isBroken else { return }
        body()
        note(unsafe sd_bus_message_close_container(message))
    }

    /// Adds a value of any type.
    package func variant(_ contents: String, _ body: () -> Void) { container("v", contents, body) }
}

extension BusMessage {
    /// Returns an estimate of the size of the message in bytes, from what libsystemd shows; nil if it exceeds
    /// `limit`.
    ///
    /// Nothing is copied, and nothing beyond the limit is read. The next read starts at the beginning of the message.
    package func size(limit: Int) -> Int? {
        defer { _ = unsafe sd_bus_message_rewind(message, 1) }
        guard unsafe sd_bus_message_rewind(message, 1) >= 0 else { return nil }
        // A call without content also has a header, and its path may be long.
        var size = 1_024 + (path?.utf8.count ?? 0)
        guard size <= limit else { return nil }
        return measure(into: &size, limit) ? size : nil
    }

    /// Adds the sizes of the values in the list or structure that was entered last; false beyond the limit, or if
    /// libsystemd fails.
    private func measure(into size: inout Int, _ limit: Int) -> Bool {
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let code = unsafe sd_bus_message_peek_type(message, &type, &contents)
            guard code > 0 else { return code == 0 }
            guard unsafe measure(type, contents, into: &size, limit), size <= limit else { return false }
        }
    }

    @unsafe private func measure(
        _ type: CChar,
        _ contents: UnsafePointer<CChar>?,
        into size: inout Int,
        _ limit: Int
    ) -> Bool {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            var text: UnsafePointer<CChar>?
            guard unsafe sd_bus_message_read_basic(message, type, &text) > 0, let text = unsafe text else {
                return false
            }
            unsafe size += strlen(text) + MemoryLayout<UInt32>.size + 1
            return true
        case UInt8(ascii: "a"), UInt8(ascii: "v"), UInt8(ascii: "r"), UInt8(ascii: "e"):
            size += MemoryLayout<UInt32>.size
            // Numbers are contiguous, and there may be millions.
            if type == Self.code("a"), let contents = unsafe contents, unsafe strlen(contents) == 1,
                unsafe Self.plain.contains(UInt8(bitPattern: contents.pointee))
            {
                var start: UnsafeRawPointer?
                var count = 0
                let item = unsafe contents.pointee
                guard unsafe sd_bus_message_read_array(message, item, &start, &count) >= 0 else {
                    return false
                }
                size += count
                return true
            }
            guard unsafe sd_bus_message_enter_container(message, type, contents) > 0 else { return false }
            guard measure(into: &size, limit) else { return false }
            return unsafe sd_bus_message_exit_container(message) >= 0
        default:
            // The longest number type has this many bytes.
            var number: UInt64 = 0
            guard unsafe sd_bus_message_read_basic(message, type, &number) > 0 else { return false }
            size += MemoryLayout<UInt64>.size
            return true
        }
    }

    /// Element types whose lists libsystemd returns without a copy.
    private static let plain: Set<UInt8> = Set("ynqiuxtd".utf8)
}

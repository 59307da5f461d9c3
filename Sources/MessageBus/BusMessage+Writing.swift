internal import CSystemd

extension BusMessage {
    private func note(_ code: Int32) { if code < 0 { isBroken = true } }

    /// Gives it up: it is never sent.
    package func breakOff() { isBroken = true }

    /// Adds a text; false when it cannot be written.
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

    /// Adds a list, a structure, an entry or a variant; `body` writes what is in it.
    package func container(_ type: Character, _ contents: String, _ body: () -> Void) {
        note(unsafe sd_bus_message_open_container(message, Self.code(type), contents))
        guard !isBroken else { return }
        body()
        note(unsafe sd_bus_message_close_container(message))
    }

    /// Adds a value of any type.
    package func variant(_ contents: String, _ body: () -> Void) { container("v", contents, body) }
}

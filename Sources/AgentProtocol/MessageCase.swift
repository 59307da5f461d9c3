/// Encodes a message of several cases as a map with one pair: the case, and the map of its fields.
///
/// The form is the same as with synthesized `Codable`. One key type for all cases saves a program that sends one request a
/// search through all conformances for each case.
struct MessageCase<Key: CodingKey> {
    private var cases: KeyedEncodingContainer<Key>

    init(_ encoder: any Encoder) { cases = encoder.container(keyedBy: Key.self) }

    /// Begins the map of a case's fields.
    mutating func fields(_ name: Key) -> KeyedEncodingContainer<Key> {
        cases.nestedContainer(keyedBy: Key.self, forKey: name)
    }

    /// Decodes the case of a message.
    ///
    /// - Parameters:
    ///   - names: The known cases.
    ///   - decoder: The decoder of the message.
    /// - Returns: The case, and its fields.
    /// - Throws: `malformed` if the message has no such case, or several.
    static func read(
        _ names: [Key],
        _ decoder: any Decoder
    ) throws -> (name: Key, fields: KeyedDecodingContainer<Key>) {
        let cases = try decoder.container(keyedBy: Key.self)
        let found = names.filter { cases.contains($0) }
        guard found.count == 1 else { throw FrameError.malformed }
        return (found[0], try cases.nestedContainer(keyedBy: Key.self, forKey: found[0]))
    }
}

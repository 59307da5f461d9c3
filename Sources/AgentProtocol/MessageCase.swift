/// A message of several cases as a map of one pair: the case, and the map of its fields.
///
/// It has the form that the compiler would give it. With one type of keys for all cases, a program that asks once is spared a
/// search through all conformances for each case.
struct MessageCase<Key: CodingKey> {
    private var cases: KeyedEncodingContainer<Key>

    init(_ encoder: any Encoder) { cases = encoder.container(keyedBy: Key.self) }

    /// The fields of a case.
    mutating func fields(_ name: Key) -> KeyedEncodingContainer<Key> {
        cases.nestedContainer(keyedBy: Key.self, forKey: name)
    }

    /// The case of a message and its fields.
    ///
    /// - Parameters:
    ///   - names: the cases that there are.
    ///   - decoder: the message.
    /// - Returns: the case, and its fields.
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

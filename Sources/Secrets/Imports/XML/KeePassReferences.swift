internal import VaultCrypto

/// The values that references can name, of all entries of an export, refused ones included.
struct KeePassReferences {
    /// By the UUID of the entry in hexadecimal digits.
    private var known: [String: [KeePassPart: Range<Int>]] = [:]

    /// Adds an entry; of two with one UUID the first counts.
    ///
    /// `id` is the UUID in base64, as XML has it.
    mutating func note(_ parts: [KeePassPart: Range<Int>], of id: String) {
        guard let id = Self.hexadecimal(id), known[id] == nil else { return }
        known[id] = parts
    }

    /// Puts the values of other entries where one stands for them, and says what leads nowhere.
    func resolve(in candidate: inout Candidate, _ bytes: DocumentBytes) {
        for index in candidate.fields.indices {
            let field = candidate.fields[index]
            guard KeePassReference.isIn(field.value, bytes) else { continue }
            if let value = value(of: field.value, bytes) {
                candidate.fields[index] = CandidateField(field.role, value, isHidden: field.isHidden)
            } else {
                candidate.leave(.reference)
            }
        }
    }

    /// The value of a reference, also through further references; nil if it leads nowhere.
    private func value(of reference: Range<Int>, _ bytes: DocumentBytes) -> Range<Int>? {
        var value = reference
        // Two references to each other lead nowhere.
        for _ in 0..<8 {
            guard KeePassReference.isIn(value, bytes) else { return value.isEmpty ? nil : value }
            guard let next = KeePassReference(value, bytes), let found = known[next.entry]?[next.part] else {
                return nil
            }
            value = found
        }
        return nil
    }

    private static func hexadecimal(_ text: String) -> String? {
        guard let id = StrictBase64.decode(Array(text.utf8)), id.count == 16 else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: id.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

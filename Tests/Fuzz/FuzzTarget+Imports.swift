import Secrets
import Text
import VaultCrypto

extension FuzzTarget {
    /// A text of another program, in a form and as one whose form is found out.
    static func importText(_ bytes: [UInt8], as format: ImportFormat) -> String? {
        guard let document = read(bytes, format) else {
            // What is known by its first bytes is read in the same way.
            guard let guessed = read(bytes, nil) else { return nil }
            return guessed.format == format
                ? "a form that is found out is read, and one that is said is not" : nil
        }
        return brokenPromise(of: document, bytes)
    }

    /// One file of pass; the first byte says how many of them there are.
    static func importPass(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first, var store = try? PassStore() else { return nil }
        let text = Array(bytes.dropFirst())
        for number in 0...Int(first % 3) {
            guard (try? store.add("folder/\(number)", text)) != nil else { return nil }
        }
        guard let document = try? store.finish() else { return nil }
        let entries = Set(document.candidates.map { values(of: $0, document) })
        guard entries.count <= 1 else { return "the same file is not the same entry" }
        return brokenPromise(of: document, text)
    }

    /// What is read is written on one line and in pages, and read again the same.
    static func json(_ bytes: [UInt8]) -> String? {
        guard let value = try? JSONValue(bytes) else { return nil }
        for layout in [JSONValue.Layout.line, .pages] {
            guard let text = try? value.bytes(layout), let again = try? JSONValue(text) else {
                return "a value that was read is not written, or not read again"
            }
            guard again == value else { return "a value that was written is another one" }
        }
        return nil
    }

    /// Of a value of a call or a message there is one encoding.
    static func callValue(_ bytes: [UInt8]) -> String? {
        guard let value = try? CallValue(encoded: bytes, values: 4_096) else { return nil }
        return value.encoded == bytes ? nil : "a value that was read is written in another way"
    }

    private static func read(_ bytes: [UInt8], _ format: ImportFormat?) -> ImportDocument? {
        guard let memory = try? SecretBytes(copying: bytes) else { return nil }
        return try? ImportDocument(reading: memory, as: format)
    }

    private static func values(of candidate: Candidate, _ document: ImportDocument) -> [[UInt8]] {
        candidate.fields.map { field in document.withBytes(of: field) { $0.copied() } }
    }

    private static func brokenPromise(of document: ImportDocument, _ bytes: [UInt8]) -> String? {
        let entries = document.candidates.count + document.refused.count
        guard entries <= 3 * (bytes.count + 1) else { return "more entries than bytes" }
        for candidate in document.candidates {
            guard (1...ImportLimits.fields).contains(candidate.fields.count) else {
                return "an entry with no field, or too many"
            }
            guard candidate.place > 0 else { return "an entry nowhere" }
            for (field, value) in zip(candidate.fields, values(of: candidate, document)) {
                guard !value.isEmpty, value.count == field.value.count, value.count <= bytes.count else {
                    return "a value that is empty, or longer than all there was"
                }
                guard document.format == .pass || String(validating: value, as: UTF8.self) != nil else {
                    return "a value that is no text"
                }
            }
            let words = [candidate.title] + candidate.folder + candidate.tags
            guard words.allSatisfy({ $0.utf8.count <= ImportLimits.name }) else { return "a long name" }
        }
        let long = document.refused.first { $0.title.utf8.count > ImportLimits.name + 3 }
        return long == nil ? nil : "a refused entry with a long title"
    }
}

internal import SSHFormats

extension AuditEntry {
    /// Most bytes of an entry, before it is sealed.
    static let longestContent = 2_048
    private static let version: UInt8 = 1

    /// The bytes that are sealed (Schemas/audit.md section 3); texts that are too long are cut.
    var content: [UInt8] {
        var writer = WireWriter()
        writer.byte(Self.version)
        writer.byte(kind.rawValue)
        writer.byte(verdict.rawValue)
        writer.uint64(time)
        writer.uint32(UInt32(bitPattern: process))
        writer.uint32(user)
        for text in [reason, act, subject, target, program] {
            writer.string(Self.cut(text))
        }
        return writer.bytes
    }

    /// Reads the content of an entry; nil for anything that no program of this version writes.
    init?(content: [UInt8]) {
        var reader = WireReader(content)
        do throws(SSHFormatError) {
            guard try reader.byte() == Self.version, let kind = AuditKind(rawValue: try reader.byte()),
                let verdict = AuditVerdict(rawValue: try reader.byte())
            else { return nil }
            self.init(kind, verdict, time: try reader.uint64())
            process = Int32(bitPattern: try reader.uint32())
            user = try reader.uint32()
            reason = try Self.text(&reader)
            act = try Self.text(&reader)
            subject = try Self.text(&reader)
            target = try Self.text(&reader)
            program = try Self.text(&reader)
            try reader.finish()
        } catch {
            return nil
        }
    }

    private static func text(_ reader: inout WireReader) throws(SSHFormatError) -> String {
        let bytes = try reader.string(limit: longestText)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return text
    }

    /// The beginning of a text, whole characters only.
    static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var end = text.startIndex
        while end < text.endIndex {
            let next = text.unicodeScalars.index(after: end)
            guard text.utf8.distance(from: text.startIndex, to: next) <= longestText else { break }
            end = next
        }
        return String(text[..<end])
    }
}

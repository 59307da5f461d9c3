internal import SSHFormats

/// One event in the audit log: names, never values.
public struct AuditEntry: Hashable, Sendable, Codable {
    /// The most bytes of one text; a longer text is cut when it is written.
    public static let longestText = 256

    /// The time of the event, Unix milliseconds.
    public var time: UInt64
    /// The kind of the event.
    public var kind: AuditKind
    /// The outcome of the event.
    public var verdict: AuditVerdict
    /// The reason of a verdict, a lock or a failure, as one word.
    public var reason: String
    /// The exact operation, as one word: `login`, `file`, the name of an operation.
    public var act: String
    /// The subject: the name of a key, a contact, a host.
    public var subject: String
    /// The target of a signature: `user@host`, a namespace.
    public var target: String
    /// The path of the program that asked, and of the programs that started it; empty if unknown.
    public var program: String
    /// The process that asked; 0 if unknown.
    public var process: Int32
    /// The user whose process asked.
    public var user: UInt32

    /// Makes an entry; `time` is in Unix milliseconds.
    public init(
        _ kind: AuditKind,
        _ verdict: AuditVerdict,
        time: UInt64,
        reason: String = "",
        act: String = "",
        subject: String = "",
        target: String = "",
        program: String = "",
        process: Int32 = 0,
        user: UInt32 = 0
    ) {
        self.time = time
        self.kind = kind
        self.verdict = verdict
        self.reason = reason
        self.act = act
        self.subject = subject
        self.target = target
        self.program = program
        self.process = process
        self.user = user
    }
}

/// The outcome of an event in the audit log.
public enum AuditVerdict: UInt8, Sendable, CaseIterable, Codable {
    /// The operation was allowed, and was about to begin when the entry was written.
    case allowed = 1
    /// The policy or the person refused the operation.
    case refused = 2
    /// The operation was allowed and then failed.
    case failed = 3

    /// The verdict, as the command line and the JSON output spell it.
    public var word: String {
        switch self {
        case .allowed: "allowed"
        case .refused: "refused"
        case .failed: "failed"
        }
    }
}

/// An entry of the audit log with its number.
public struct AuditRecord: Hashable, Sendable, Codable {
    /// The number; the first entry of a vault has 1.
    public let sequence: UInt64
    /// The content of the entry.
    public let entry: AuditEntry
}

extension AuditEntry {
    /// The most bytes of an entry, before it is sealed.
    static let longestContent = 2_048
    private static let version: UInt8 = 1

    /// The plaintext of the entry (Schemas/audit.md section 3); long texts are cut.
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

    /// Reads the content of an entry; nil for content that this version cannot write.
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

    /// Cuts a text to `longestText` bytes, at the end of a whole character.
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

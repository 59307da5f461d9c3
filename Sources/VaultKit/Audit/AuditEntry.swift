internal import SSHFormats

/// One thing that happened, as the audit log keeps it: names, never values.
public struct AuditEntry: Hashable, Sendable, Codable {
    /// Most bytes of one text; longer ones are cut when they are written.
    public static let longestText = 256

    /// When, in milliseconds of Unix time.
    public var time: UInt64
    /// What kind of thing.
    public var kind: AuditKind
    /// How it came out.
    public var verdict: AuditVerdict
    /// Why: the reason of a verdict, of a lock, of a failure; one word.
    public var reason: String
    /// The exact operation, as one word: `login`, `file`, the name of an operation.
    public var act: String
    /// The subject: the name of a key, a contact, a host.
    public var subject: String
    /// The target of a signature: `user@host`, a namespace.
    public var target: String
    /// The path of the program that asked, and of those that started it; empty if unknown.
    public var program: String
    /// The process that asked; 0 if unknown.
    public var process: Int32
    /// The user whose process asked.
    public var user: UInt32

    /// An entry; times are milliseconds of Unix time.
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

/// How a thing that the audit log tells came out.
public enum AuditVerdict: UInt8, Sendable, CaseIterable, Codable {
    /// It was allowed, and about to be done when the entry was written.
    case allowed = 1
    /// The policy, or the person, refused it.
    case refused = 2
    /// It was allowed and then failed.
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

internal import Console
internal import HSIP
internal import VaultKit

/// The objects of Schemas/cli/message.schema.json.
extension JSONValue {
    /// `encrypt`; the message as it was written, with its final line feed.
    static func message(_ sealed: SealedMessage, as text: [UInt8]) -> JSONValue {
        [
            "message": .text(String(decoding: text.dropLast(), as: UTF8.self)),
            "contact": .text(sealed.contact),
            "sent": .integer(Int64(sealed.sent)),
            "limit": .integer(Int64(sealed.limit)),
            "expiresAt": .time(Int64(sealed.endsAt)),
        ]
    }

    /// `encrypt --file`.
    static func sealedFile(_ sealed: SealedMessage, at path: String?, bytes: UInt64) -> JSONValue {
        [
            "file": .optional(path),
            "bytes": .integer(Int64(clamping: bytes)),
            "contact": .text(sealed.contact),
            "sent": .integer(Int64(sealed.sent)),
            "limit": .integer(Int64(sealed.limit)),
            "expiresAt": .time(Int64(sealed.endsAt)),
        ]
    }

    /// `decrypt` of a file that was sealed with `--file`.
    static func openedFile(
        _ opened: OpenedFileKey,
        _ sender: PeerID,
        at path: String?,
        bytes: UInt64
    ) -> JSONValue {
        [
            "file": .optional(path),
            "bytes": .integer(Int64(clamping: bytes)),
            "contact": .optional(opened.contact),
            "peerId": .text(sender.text),
            "repeated": .bool(opened.isReread),
            "mayHaveBeenReadBefore": .bool(opened.notices.contains(.mayHaveBeenReadBefore)),
        ]
    }

    /// `decrypt`.
    static func readings(_ readings: [Reading], exit: Int32, inline: JSONValue) -> JSONValue {
        [
            "messages": .list(readings.map { .reading($0) }),
            "opened": .integer(Int64(readings.count { $0.plaintext != nil })),
            "failed": .integer(Int64(readings.count { $0.failure != nil })),
            "exit": .integer(Int64(exit)),
            "inline": inline,
        ]
    }

    private static func reading(_ reading: Reading) -> JSONValue {
        var carries = JSONValue.null
        for case .carries(let kind) in reading.notices { carries = .text(kind.hrp) }
        return [
            "position": .integer(Int64(reading.position)),
            "state": .text(reading.state),
            "contact": .optional(reading.contact),
            "peerId": .optional(reading.peerID?.text),
            "text": reading.plaintext.map { .secret($0) } ?? .null,
            "repeated": .bool(reading.isRepeated),
            "firstReadAt": .null,
            "mayHaveBeenReadBefore": .bool(reading.notices.contains(.mayHaveBeenReadBefore)),
            "carries": carries,
            "error": reading.failure.map { failure in
                [
                    "code": .text(failure.code), "exit": .integer(Int64(failure.status)),
                    "message": .text(failure.message),
                ]
            } ?? .null,
        ]
    }
}

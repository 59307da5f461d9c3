internal import HSIP
internal import Presentation
internal import VaultCrypto
internal import VaultKit

/// One message of a text, and its result.
struct Reading {
    /// 1 for the first of the text.
    let position: Int
    /// Its bytes in the text.
    let range: Range<Int>
    /// Of the header.
    var peerID: PeerID?
    /// Who wrote it; of a message that failed, the contact in its header.
    var contact: String?
    /// The text; nil for my own and for one that failed.
    var plaintext: Secret?
    /// Read before, and opened all the same.
    var isRepeated = false
    var notices: [Notice] = []
    /// Why it failed.
    var failure: Failure?

    init(position: Int, range: Range<Int>) {
        self.position = position
        self.range = range
    }

    /// An element of `messages` of Schemas/cli/message.schema.json.
    var json: JSONValue {
        var carries = JSONValue.null
        for case .carries(let kind) in notices { carries = .text(kind.hrp) }
        return [
            "position": .integer(position),
            "state": failure != nil ? "failed" : plaintext != nil ? "opened" : "own",
            "contact": .optional(contact), "peerId": .optional(peerID?.text),
            "text": plaintext.map { .secret($0) } ?? .null, "repeated": .bool(isRepeated),
            "firstReadAt": nil,
            "mayHaveBeenReadBefore": .bool(notices.contains(.mayHaveBeenReadBefore)), "carries": carries,
            "error": failure.map { failure in
                [
                    "code": .text(failure.name), "exit": .integer(failure.exitCode),
                    "message": .text(failure.message),
                ]
            } ?? .null,
        ]
    }
}

extension Reading {
    /// Opens one message.
    ///
    /// What is wrong with the message is part of the reading; what is wrong with the vault is thrown.
    static func open(
        _ found: FoundMessage,
        position: Int,
        from alias: String?,
        isReread: Bool,
        _ context: Context,
        _ vault: any VaultService
    ) async throws -> Reading {
        var reading = Reading(position: position, range: found.range)
        reading.peerID = found.envelope?.sender
        do {
            guard let envelope = found.envelope else { throw VaultError.hsip(found.refusal) }
            let message = try await vault(Operations.decrypt, envelope, alias, isReread)
            reading.plaintext = message.plaintext
            reading.contact = message.contact
            reading.isRepeated = message.isReread
            reading.notices = message.notices
        } catch let error as VaultError {
            guard case .hsip = error else { throw error }
            reading.contact =
                if let alias { alias } else if let sender = reading.peerID {
                    try await vault(Operations.aliasOf, sender)
                } else {
                    nil
                }
            reading.failure = await context.explain(error, vault, about: reading.contact)
        }
        return reading
    }
}

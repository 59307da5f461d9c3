package import ArgumentParser
internal import HSIP
internal import Presentation
internal import Secrets
internal import System
internal import Text
internal import VaultKit

/// `hsip secret receive [FILE]`: accepts a secret that a contact sent with `hsip secret send`.
package struct SecretReceive: Command {
    package static let path = "secret receive"
    package static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Accept a secret that a contact sent.",
        discussion: """
            hsip saves the secret in the vault and shows no value. A text may have words around the \
            secret. hsip accept does the same.

              wl-paste | hsip secret receive
              hsip secret receive --as work/db prod.hsipsecret
            """
    )

    @Argument(help: "The file with the secret, or - for stdin.", completion: .file())
    var file: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The secret's name in this vault.", valueName: "name")
    )
    var name: String?

    @Flag(name: .customLong("replace"), help: "Replace your copy even if you changed it.")
    var replacesChanged = false

    package init() {}

    package func run(_ context: Context) async throws {
        let bytes = try OwnFile.read(file ?? "-", limit: SealedParcel.longest)
        guard let found = try GiftReceiver.theOne(in: bytes) else { throw VaultError.hsip(.malformedGift) }
        let vault = try await context.openVault()
        let taker = GiftReceiver(context: context, vault: vault, name: name, replacesChanged: replacesChanged)
        try context.output.succeed(.receivedGift(try await taker.take(found)))
    }
}

/// Accepts a parcel: describes it, asks for the name at a terminal, and asks before it replaces a changed copy.
struct GiftReceiver {
    let context: Context
    let vault: any VaultService
    let name: String?
    /// The contact that the parcel must come from.
    var from: String?
    let replacesChanged: Bool

    /// The possible readings of the only parcel in a file or a text; nil without a parcel.
    ///
    /// - Throws: `severalCodes`; `malformedGift` for a damaged parcel.
    static func theOne(in bytes: [UInt8]) throws -> [[UInt8]]? {
        let found = readings(in: bytes)
        guard found.count < 2 else {
            throw Failure(
                .severalCodes,
                "the text has \(found.count) secrets; pass one at a time"
            )
        }
        guard let readings = found.first else { return nil }
        guard !readings.isEmpty else { throw VaultError.hsip(.malformedGift) }
        return readings
    }

    /// The parcels in a file or a text, each with its possible readings; a damaged parcel does not have any.
    private static func readings(in bytes: [UInt8]) -> [[[UInt8]]] {
        if SealedParcel.begins(bytes) { return [[bytes]] }
        return ParcelText.find(in: bytes).map { $0.readings.map(\.bytes) }
    }

    func take(_ readings: [[UInt8]]) async throws -> ReceivedGift {
        var acceptance = GiftAcceptance(readings)
        acceptance.name = name
        acceptance.replacesChanged = replacesChanged
        if let from {
            let contact = try await ContactNames(context, vault).resolve(from).contact
            // The sender in the header is genuine, otherwise the parcel cannot be opened.
            let sender = try readings.first.map { try SealedParcel(bytes: $0).header.keyMessage.sender }
            guard sender == contact.peerID else {
                throw Failure(.senderMismatch, "this secret is from another contact")
            }
        }
        let asks = context.isInteractive
        if asks {
            do {
                let trial = try await vault(Operations.tryGift, acceptance)
                describe(trial)
                if trial.act == .added, name == nil {
                    acceptance.name = try context.terminal.ask(
                        "Name for it here",
                        default: trial.name,
                        flag: "--as NAME"
                    )
                }
            } catch VaultError.secret(let reason)
                where [.nameTaken, .badName].contains(reason) && name == nil
            {
                context.output.say("The name that they have for it cannot be used here.")
                acceptance.name = try context.terminal.ask("Name for it here", flag: "--as NAME")
            } catch VaultError.secret(.changedMeanwhile) {
                acceptance.replacesChanged = true
                let trial = try await vault(Operations.tryGift, acceptance)
                describe(trial)
                let what =
                    trial.act == .putAway ? "Put it into the trash" : "Store what they sent as a new version"
                guard
                    try context.terminal.confirm("Your copy was changed here. \(what)?", flag: "--replace")
                else { throw VaultError.secret(.changedMeanwhile) }
            }
        }
        let taken = try await context.explaining(vault) { try await vault(Operations.takeGift, acceptance) }
        context.hasChanged = true
        if !asks { describe(taken) }
        context.output.tell(taken.notices, about: taken.contact, taken.peerID)
        tell(taken)
        return taken
    }

    private func describe(_ gift: ReceivedGift) {
        let display = context.output.display
        let who = display.cell(gift.contact) + (gift.isVerified ? "" : " (not compared)")
        var words = "from \(who): \(display.cell(gift.givenName)), version \(gift.version)"
        if let kind = gift.kind {
            words += ", \(kind.word) with \(gift.fields.map { display.cell($0) }.joined(separator: ", "))"
        }
        context.output.say(words)
        if let note = gift.note { context.output.say("  \(display.cell(note))") }
        if gift.isShare {
            context.output.say(
                "A share: give it to \(display.cell(gift.contact)) only when you see or hear them. "
                    + "A message is not enough."
            )
        }
    }

    private func tell(_ gift: ReceivedGift) {
        let name = context.output.display.cell(gift.name)
        switch gift.act {
        case .added: context.output.say("\(name) is stored.")
        case .versioned: context.output.say("\(name) has a new version.")
        case .known: context.output.note(Warning("giftKnown", "\(name) already has this version"))
        case .older:
            context.output.note(Warning("giftOlder", "a newer message about \(name) came before this one"))
        case .putAway: context.output.say("\(name) was withdrawn: it is in the trash.")
        case .gone: context.output.say("\(name) was withdrawn, and is not here any more.")
        }
    }
}

extension JSONValue {
    /// `secret receive`, and `accept` of a secret.
    static func receivedGift(_ taken: ReceivedGift) -> JSONValue {
        [
            "act": .text(taken.act.rawValue), "name": .text(taken.name),
            "givenName": .text(taken.givenName), "type": .optional(taken.kind?.word),
            "fields": .texts(taken.fields), "version": .integer(taken.version),
            "expiresAt": .time(taken.expires), "note": .optional(taken.note),
            "share": .bool(taken.isShare), "contact": .text(taken.contact),
            "peerId": .text(taken.peerID.text), "verified": .bool(taken.isVerified),
        ]
    }
}

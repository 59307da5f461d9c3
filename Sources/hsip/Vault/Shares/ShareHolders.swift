internal import CommandKit
internal import Console
internal import HSIP
internal import Programs
internal import SafeText
internal import VaultKit
internal import VaultLifecycle

/// The contacts who get a share each, from vault to vault; none where shares go on paper.
struct ShareHolders {
    private let aliases: [String]
    private let vault: (any VaultService)?

    /// Refuses what cannot be sent before anything is made.
    ///
    /// - Throws: usage for a contact who is named twice; `unknownContact`; `contactUnverified`.
    init(_ contacts: [String], _ vault: (any VaultService)?) async throws {
        self.vault = vault
        var aliases: [String] = []
        if let vault {
            for name in contacts {
                let contact = try await vault.contact(name).contact
                guard contact.trust != .suspicious else { throw VaultError.gift(.contactSuspicious) }
                guard contact.trust != .revoked else { throw VaultError.hsip(.revoked) }
                guard contact.isCompared else {
                    throw VaultError.gift(.contactUnverified)
                }
                guard !aliases.contains(contact.alias) else {
                    throw Failure.usage(
                        "--to names each contact once: a person with two shares needs fewer others"
                    )
                }
                aliases.append(contact.alias)
            }
        }
        self.aliases = aliases
    }

    /// Seals a share for each; nothing leaves before the shares open the vault.
    func send(_ new: NewShares) async throws -> [SentGift] {
        guard let vault else { return [] }
        var sent: [SentGift] = []
        for (alias, words) in zip(aliases, new.texts) {
            var request = GiftRequest(new.sharing.label, to: alias)
            request.note = "\(new.sharing.threshold) of \(new.sharing.count)"
            request.share = words
            sent.append(try await vault.sendGift(request))
        }
        return sent
    }

    /// A line for each contact.
    func show(_ sent: [SentGift], _ context: Context) throws {
        for gift in sent {
            context.output.say("For \(context.output.display.cell(gift.contact)):")
            try context.output.data(try Self.text(gift) + [0x0A])
        }
    }

    static func json(_ gift: SentGift) throws -> JSONValue {
        ["contact": .text(gift.contact), "text": .text(String(decoding: try text(gift), as: UTF8.self))]
    }

    private static func text(_ gift: SentGift) throws -> [UInt8] {
        try ParcelText.write(try SealedParcel(bytes: gift.parcel))
    }
}

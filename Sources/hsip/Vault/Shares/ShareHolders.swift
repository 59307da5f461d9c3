internal import Commands
internal import HSIP
internal import Presentation
internal import System
internal import Text
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
                let contact = try await vault(Operations.contact, name).contact
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

    /// New shares for them: unlike all others that contacts were sent.
    func make(_ sharing: Sharing) async throws -> NewShares {
        guard let vault else { return try NewShares(sharing) }
        let taken = try await vault(Operations.shares).map(\.identifier)
        while true {
            let new = try NewShares(sharing)
            if !taken.contains(where: { $0 == new.sharing.identifier }) { return new }
        }
    }

    /// Seals a share for each, or none for anybody; nothing leaves before the shares open the vault.
    func send(_ new: NewShares) async throws -> [SentGift] {
        guard let vault, let identifier = new.sharing.identifier else { return [] }
        let holders = zip(aliases, new.texts).map { ShareRequest.Holder($0, $1) }
        return try await vault(
            Operations.sendShares,
            ShareRequest(
                new.sharing.label,
                identifier: identifier,
                threshold: new.sharing.threshold,
                to: holders
            )
        )
    }

    /// What is remembered of who has them; nil for shares on paper.
    ///
    /// The shares are made: that this cannot be read is no reason to fail.
    func held(_ new: NewShares) async -> SharesSummary? {
        guard let vault else { return nil }
        return (try? await vault(Operations.shares))?.first { $0.identifier == new.sharing.identifier }
    }

    /// Forgets shares that went to nobody, and open nothing.
    ///
    /// Where that fails, `doctor` tells of them.
    func takeBack(_ new: NewShares) async {
        guard let vault, let identifier = new.sharing.identifier else { return }
        _ = try? await vault(Operations.forgetShares, identifier, false)
    }

    /// A line for each contact.
    func show(_ sent: [SentGift], _ context: Context) throws {
        for gift in sent {
            context.output.say("For \(context.output.display.cell(gift.contact)):")
            try context.output.data(try Self.text(gift.parcel) + [0x0A])
        }
    }

    static func json(_ gift: SentGift) throws -> JSONValue { try json(gift.parcel, for: gift.contact) }

    static func json(_ parcel: [UInt8], for contact: String) throws -> JSONValue {
        ["contact": .text(contact), "text": .text(String(decoding: try text(parcel), as: UTF8.self))]
    }

    static func text(_ parcel: [UInt8]) throws -> [UInt8] {
        try ParcelText.write(try SealedParcel(bytes: parcel))
    }
}

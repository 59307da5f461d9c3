package import ArgumentParser
internal import HSIP
internal import Presentation
internal import VaultKit

/// The commands about people: pairing, verifying, messages, identities, and texts under a typed key.
package enum PeopleFeature {
    /// What is done with another person.
    package static let verbs: [any ParsableCommand.Type] = [
        Pair.self, Accept.self, Verify.self, Encrypt.self, Decrypt.self,
    ]
    /// What is kept of people.
    package static let nouns: [any ParsableCommand.Type] = [
        IdentityGroup.self, ContactGroup.self, SessionGroup.self,
    ]
    /// The commands for one vault on several machines.
    package static let machines: [any ParsableCommand.Type] = [SyncGroup.self]
    /// Parts of `hsip machine`; without a word of its own it is the first.
    package static let machineParts: [any ParsableCommand.Type] = [MachineList.self, MachineRevoke.self]
    /// How the vault comes to several machines: parts of `hsip setup sync`.
    package static let setupSync: [any ParsableCommand.Type] = [
        SetupSyncGit.self, SetupSyncEtcd.self, SetupSyncFolder.self, SetupSyncJoin.self, leaveSync,
    ]
    /// `hsip setup sync --undo`, which needs no word of its own.
    package static let leaveSync: any ParsableCommand.Type = SetupSyncUndo.self
    /// Secrets from vault to vault: parts of `hsip secret`.
    package static let gifts: [any ParsableCommand.Type] = [
        SecretSend.self, SecretReceive.self, SecretWithdraw.self, SecretShared.self,
    ]
    /// What works with a text alone.
    package static let codes: [any ParsableCommand.Type] = [TextGroup.self, QR.self]

    /// What an everyday form asks for; nil for everything else.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        Encrypt.read(words) ?? Decrypt.read(words)
    }
}

extension Encrypt: PlainCommand {
    /// `encrypt NAME` and `encrypt NAME FILE`.
    init?(_ words: PlainWords) {
        var words = words
        guard let contact = words.value() else { return nil }
        self.init()
        self.contact = contact
        file = words.value()
        sealed = nil
        rest = []
        isVerbose = false
        isStealth = false
        lines = false
        target = .standardOutput
        copy = false
        guard words.isEmpty else { return nil }
    }
}

extension Decrypt: PlainCommand {
    /// `decrypt` and `decrypt FILE`.
    init?(_ words: PlainWords) {
        var words = words
        self.init()
        file = words.value()
        inline = false
        endsWithZero = false
        from = nil
        isReread = false
        isStealth = false
        paste = false
        target = .standardOutput
        guard words.isEmpty else { return nil }
    }
}

extension Context {
    /// A refusal of the vault, with the names of the people concerned.
    func explain(
        _ error: VaultError,
        _ vault: any VaultService,
        about alias: String?,
        code: ExchangeCode? = nil,
        name: String? = nil
    ) async -> Failure {
        let details = PeopleDetails(vault, about: alias, code: code, wantedName: name, now: now)
        return Failure(await PeopleErrors(details, output.display).explain(error))
    }

    /// Does something with the vault, and explains its refusals with the names of the people concerned.
    func explaining<R>(
        _ vault: any VaultService,
        about alias: String? = nil,
        code: ExchangeCode? = nil,
        name: String? = nil,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch let error as VaultError {
            throw await explain(error, vault, about: alias, code: code, name: name)
        }
    }
}

package import ArgumentParser
internal import HSIP
internal import Presentation
internal import VaultKit

/// The commands about people: pairing, verifying, messages, identities, and texts under a typed key.
package enum PeopleFeature {
    /// The commands that work with another person.
    package static let verbs: [any ParsableCommand.Type] = [
        Pair.self, Accept.self, Verify.self, Encrypt.self, Decrypt.self,
    ]
    /// The commands about stored records of people.
    package static let nouns: [any ParsableCommand.Type] = [
        IdentityGroup.self, ContactGroup.self, SessionGroup.self,
    ]
    /// The commands for one vault on several machines.
    package static let machines: [any ParsableCommand.Type] = [SyncGroup.self]
    /// The subcommands of `hsip machine`; the first is the default.
    package static let machineParts: [any ParsableCommand.Type] = [MachineList.self, MachineRevoke.self]
    /// The subcommands of `hsip setup sync`, which connect a vault with other machines.
    package static let setupSync: [any ParsableCommand.Type] = [
        SetupSyncGit.self, SetupSyncEtcd.self, SetupSyncFolder.self, SetupSyncJoin.self, leaveSync,
    ]
    /// `hsip setup sync --undo`, which is found by its option, not by a word.
    package static let leaveSync: any ParsableCommand.Type = SetupSyncUndo.self
    /// The subcommands of `hsip secret` that send secrets between vaults.
    package static let gifts: [any ParsableCommand.Type] = [
        SecretSend.self, SecretReceive.self, SecretWithdraw.self, SecretShared.self,
    ]
    /// The commands that work with a text alone.
    package static let codes: [any ParsableCommand.Type] = [TextGroup.self, QR.self]

    /// The command of an everyday form, read without the parser; nil for all other words.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        Encrypt.read(words) ?? Decrypt.read(words)
    }
}

extension Encrypt: PlainCommand {
    /// Reads `encrypt NAME` and `encrypt NAME FILE`.
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
    /// Reads `decrypt` and `decrypt FILE`.
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
    /// Explains a refusal of the vault, with the names of the people concerned.
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

    /// Runs `body` with the vault, and explains its refusals with the names of the people concerned.
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

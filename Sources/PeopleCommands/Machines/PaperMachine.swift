package import CommandKit
internal import Console
internal import RecordStore
internal import SafeText
internal import SharedLog
package import VaultCrypto
internal import VaultKit

/// A machine that is only a recovery code: with the code and the log, all that is shared can be read again.
package struct PaperMachine {
    /// Tries beside other machines that write at the same time.
    private static let rounds = 10

    /// Its name.
    package let name: String
    /// The place of the log as a person types it after `hsip sync recover`.
    package let place: [String]
    private let context: Context
    private let vault: any VaultService

    /// A machine that the log does not have yet; reads what is new there first.
    ///
    /// - Throws: `noLog`; `machineNameTaken`; what a sync throws.
    package init(_ name: String, _ context: Context) async throws {
        let vault = try await context.openVault()
        _ = try await SyncRun.run(context, vault)
        guard let state = try await vault(Operations.logState), let address = state.address else {
            throw LogError(.noLog)
        }
        guard state.machines.contains(where: { $0.isThis && $0.role == "keeper" }) else {
            throw LogError(.notAllowed)
        }
        let name = NameRules.normalized(name)
        guard !state.machines.contains(where: { $0.name == name }) else {
            throw Failure(
                .machineNameTaken,
                "a machine named \(context.output.display.cell(name)) shares this vault already",
                hint: "hsip machine revoke \(ShellWord.quoted(name))"
            )
        }
        (self.name, self.context, self.vault) = (name, context, vault)
        place = [address.word, address.text]
    }

    /// Adds it; again if another machine wrote at the same place.
    ///
    /// - Parameter code: 16 random bytes that a person has by now.
    /// - Throws: what the vault refuses; a `Failure` if the entries could not be sent and wait.
    package func add(_ code: Secret) async throws {
        for _ in 0..<Self.rounds {
            do {
                let _: Nothing = try await vault(Operations.addPaper, code, name)
                context.hasChanged = true
            } catch VaultError.log(let error) where error.reason == .logBusy {
                // Changes of this machine wait to be sent.
            }
            do {
                _ = try await SyncRun.run(context, vault)
            } catch {
                let shown = context.output.display.cell(name)
                var failure = Failures.explain(error)
                failure.message += "; the code works only once hsip machine lists \(shown)"
                failure.hint = "hsip sync"
                throw failure
            }
            let state = try await vault(Operations.logState)
            if state?.machines.contains(where: { $0.name == name }) == true { return }
        }
        throw LogError(.logBusy)
    }
}

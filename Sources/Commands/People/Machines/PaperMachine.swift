internal import HSIP
internal import Presentation
internal import RecordStore
internal import SharedLog
internal import Text
package import VaultCrypto
internal import VaultKit

/// A machine that is only a recovery code: with it and the log, all shared records can be read again.
package struct PaperMachine {
    /// The number of attempts, because other machines may write at the same time.
    private static let rounds = 10

    /// The name of the machine.
    package let name: String
    /// The kind and the address of the log, as `hsip sync recover` needs them.
    package let address: [String]
    private let context: Context
    private let vault: any VaultService

    /// Syncs, and checks that the log does not have a machine of this name yet.
    ///
    /// - Throws: `noLog`; `notAllowed` unless this machine is a keeper; `malformed` for the name; `machineNameTaken`; the
    ///   errors of a sync.
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
        guard MachineName.isUsable(name) else { throw LogError(.malformed) }
        guard !state.machines.contains(where: { $0.name == name }) else {
            throw Self.taken(name, "shares this vault already", context)
        }
        (self.name, self.context, self.vault) = (name, context, vault)
        self.address = [address.word, address.text]
    }

    private static func taken(_ name: String, _ what: String, _ context: Context) -> Failure {
        Failure(
            .machineNameTaken,
            "a machine named \(context.output.display.cell(name)) \(what)",
            hint: "hsip machine paper --name OTHER"
        )
    }

    /// Adds the machine, and repeats that if another machine wrote first.
    ///
    /// - Parameter code: The 16 random bytes of the recovery code, which a person has already.
    /// - Returns: The command with which a new machine reads the log; it names an entry that the log must have.
    /// - Throws: The errors of the vault; a `Failure` if the entries could not be sent yet.
    package func add(_ code: Secret) async throws -> String {
        for _ in 0..<Self.rounds {
            do {
                let isAdded = try await vault(Operations.addPaper, code, name)
                context.hasChanged = true
                if isAdded { return try await line() }
            } catch VaultError.log(let error) where error.reason == .logBusy {
                // Changes of this machine must be sent first.
            } catch VaultError.log(let error) where error.reason == .nameTaken {
                throw Self.taken(name, "came first; destroy the code that you have now", context)
            }
            do {
                _ = try await SyncRun.run(context, vault)
            } catch {
                let shown = context.output.display.cell(name)
                var failure = Failure(error)
                failure.message += "; the code works only once hsip machine lists \(shown)"
                failure.hint = "hsip sync"
                throw failure
            }
        }
        throw LogError(.logBusy)
    }

    private func line() async throws -> String {
        guard let state = try await vault(Operations.logState), let log = state.log, let head = state.head
        else { throw LogError(.noLog) }
        let digits = try HeadCode(logID: log, place: head.place, hash: head.hash).number().text
        var words = ["hsip", "sync", "recover"] + address.map { ShellWord.quoted($0) }
        words += ["--head", "\(head.place):\(digits.filter { $0 != " " })"]
        if address.first == "etcd" { words += ["--user", "NAME", "--ca", "FILE"] }
        return words.joined(separator: " ")
    }
}

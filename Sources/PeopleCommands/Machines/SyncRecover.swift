internal import AgentProtocol
internal import ArgumentParser
internal import CommandKit
internal import Console
internal import LogCarriers
internal import Programs
internal import SafeText
internal import SharedLog
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// `hsip sync recover`.
struct SyncRecover: Command {
    static let path = "sync recover"
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Open a shared log with its recovery code from paper.",
        discussion: """
            For the day on which all machines are gone. hsip machine paper made the code.

              hsip sync recover git git@home.example:vault.git
            """
    )

    /// What keeps the log.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case git, etcd, folder

        var carrier: CarrierAddress.Kind {
            switch self {
            case .git: .git
            case .etcd: .etcd
            case .folder: .folder
            }
        }
    }

    @Argument(help: ArgumentHelp("git, etcd or folder.", valueName: "kind"))
    var kind: Kind

    @Argument(help: "The address, as for hsip setup sync.")
    var address: String

    @Option(
        name: .customLong("code-file"),
        help: ArgumentHelp("Read the recovery code from this file.", valueName: "file"),
        completion: .file()
    )
    var codeFile: String?

    @Option(help: ArgumentHelp("The name of this machine (default: the host's name).", valueName: "name"))
    var name: String?

    @OptionGroup var login: EtcdLoginOptions

    /// Tries beside other machines that write at the same time.
    private static let rounds = 10

    func run(_ context: Context) async throws {
        let address = try context.address(kind.carrier, address)
        let vault = try await context.openVault()
        guard try await vault(Operations.logState)?.stage != .member else { throw LogError(.logExists) }
        let code = try code(context)
        let place = LogAddress(carrier: kind.carrier.rawValue, text: address.text)
        let login = place.isEtcd ? try await login.login(at: address, context, vault) : nil
        let logs = try context.reach(address, mirror: "/", login?.credentials(for: place)) {
            try address.logs($0)
        }
        var isRefused = false
        for log in logs {
            do {
                try await enter(try LogAccess(context, log, at: place, login), code, place, context, vault)
            } catch VaultError.log(let error) where error.reason == .machineRevoked {
                isRefused = true
                continue
            }
            if let login { let _: Nothing = try await vault(Operations.setLogin, login) }
            return try await read(context, vault)
        }
        let shown = context.output.display.cell(address.text, columns: .max)
        guard isRefused else { throw Failure(.noLog, "\(shown) has no shared log") }
        throw Failure(
            .machineRevoked,
            "this recovery code opens no shared log at \(shown), or no longer",
            hint: "hsip help sync recover"
        )
    }

    /// Admits this machine; again if another machine wrote at the same place.
    private func enter(
        _ access: LogAccess,
        _ code: Secret,
        _ place: LogAddress,
        _ context: Context,
        _ vault: any VaultService
    ) async throws {
        let held = try access.hold()
        defer { withExtendedLifetime(held) {} }
        for _ in 0..<Self.rounds {
            let recovery = LogRecovery(
                code: code,
                entries: try access.readWhole(),
                name: name ?? OwnMachine.name,
                address: place
            )
            let delivery: LogDelivery
            do {
                delivery = try await vault(Operations.recoverLog, recovery)
            } catch AgentError.refused(.requestTooLarge) {
                throw LogAccess.tooLarge("sync recover \(place.word) \(ShellWord.quoted(place.text))")
            }
            context.hasChanged = true
            guard !delivery.entries.isEmpty else { return }
            let outcome = try access.reach { try $0.create(delivery.entries, at: delivery.place) }
            if outcome == .created { return }
        }
        throw LogError(.logBusy)
    }

    private func read(_ context: Context, _ vault: any VaultService) async throws {
        let result = try await SyncRun.run(context, vault)
        result.tell(context.output)
        context.output.note(
            "nothing proves that the server showed its newest entries; if another machine is left, compare: hsip sync head"
        )
        context.output.hint("hsip machine  lists the machines; revoke the lost ones")
        try context.output.succeed(result.json)
    }

    private func code(_ context: Context) throws -> Secret {
        let typed =
            if let codeFile {
                try NamedSecret(.file(codeFile)).secret()
            } else {
                try context.terminal.askHidden("Recovery code of the shared log", flag: "--code-file FILE")
            }
        do throws(CryptoError) {
            return Secret(try RecoveryText.decode(typed))
        } catch {
            guard error != .outOfMemory else { throw error }
            throw Failure(
                .mistyped,
                "a recovery code has seven groups of four letters and digits; this one has a slip",
                hint: "hsip sync recover \(kind.rawValue) \(ShellWord.quoted(address))"
            )
        }
    }
}

extension LogAddress {
    /// What a person types before the address.
    var word: String {
        CarrierAddress.Kind(rawValue: carrier).flatMap { kind in
            SyncRecover.Kind.allCases.first { $0.carrier == kind }?.rawValue
        } ?? "git"
    }
}

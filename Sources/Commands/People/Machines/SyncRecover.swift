internal import AgentProtocol
internal import ArgumentParser
internal import HSIP
internal import LogCarriers
internal import Presentation
internal import SharedLog
internal import System
internal import Text
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

    /// The kind of the log's carrier.
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

    @Argument(help: ArgumentHelp("What keeps the log.", valueName: "kind"))
    var kind: Kind

    @Argument(help: "The address, as for hsip setup sync.")
    var address: String

    @Option(help: ArgumentHelp("An entry that must be there, from the paper.", valueName: "place:digits"))
    var head: String?

    @Option(
        name: .customLong("code-file"),
        help: ArgumentHelp("Read the recovery code from this file.", valueName: "file"),
        completion: .file()
    )
    var codeFile: String?

    @Option(help: ArgumentHelp("The name of this machine (default: the host's name).", valueName: "name"))
    var name: String?

    @OptionGroup var login: EtcdLoginOptions

    /// The number of attempts, because other machines may write at the same time.
    private static let rounds = 10

    func run(_ context: Context) async throws {
        let head = try head.map(Self.head)
        let address = try context.address(kind.carrier, address)
        guard kind == .etcd || !login.isGiven else {
            throw Failure.usage("only etcd has a login here; git logs in by itself")
        }
        let vault = try await context.openVault()
        guard try await vault(Operations.logState)?.stage != .member else { throw LogError(.logExists) }
        let code = try code(context)
        do {
            try await recover(code, head, at: address, context, vault)
        } catch {
            throw explained(error, context)
        }
    }

    private func recover(
        _ code: Secret,
        _ head: (place: UInt64, digits: String)?,
        at address: CarrierAddress,
        _ context: Context,
        _ vault: any VaultService
    ) async throws {
        let place = LogAddress(carrier: kind.carrier.rawValue, text: address.text)
        let login = place.isEtcd ? try await login.login(at: address, context, vault) : nil
        let credentials = try login?.credentials(for: place)
        let logs = try context.reach(address, mirror: "/", credentials) {
            try address.logs($0)
        }
        let shown = context.output.display.cell(address.text, columns: .max)
        guard !logs.isEmpty else { throw Failure(.noLog, "\(shown) has no shared log") }
        var refusal: any Error = Failure(
            .machineRevoked,
            "this recovery code opens no shared log at \(shown); its machine may have been removed",
            hint: "hsip help sync recover"
        )
        var isDamaged = false
        for log in logs {
            let access = try LogAccess(context, log, at: place, credentials)
            let entry = Entry(access: access, log: log, place: place)
            do {
                try await enter(entry, code, head, context, vault)
            } catch VaultError.log(let error) where error.reason == .machineRevoked {
                continue
            } catch  where Self.isOfLog(error) {
                // The code may belong to another log at this address.
                if !isDamaged { (refusal, isDamaged) = (error, true) }
                continue
            }
            if let login { let _: Nothing = try await vault(Operations.setLogin, login) }
            return try await read(context, vault, isCompared: head != nil)
        }
        throw refusal
    }

    /// A log at the address.
    private struct Entry {
        let access: LogAccess
        let log: [UInt8]
        let place: LogAddress
    }

    /// True if an error is about the entries of one log.
    private static func isOfLog(_ error: any Error) -> Bool {
        switch error {
        case VaultError.log, is LogError: true
        case let failure as Failure: failure.name == ErrorName.logDamaged.rawValue
        default: false
        }
    }

    /// The error with a hint that repeats this command, not another one.
    private func explained(_ error: any Error, _ context: Context) -> any Error {
        let command = "hsip sync recover \(kind.rawValue) \(ShellWord.quoted(address))"
        if case VaultError.log(let error) = error, error.reason == .nameTaken {
            let shown = context.output.display.cell(name ?? OwnMachine.name)
            return Failure(
                .machineNameTaken,
                "the log has a machine named \(shown) already",
                hint: "\(command) --name OTHER"
            )
        }
        guard var failure = error as? Failure, let hint = failure.hint else { return error }
        for option in ["--user NAME", "--ca FILE"] where hint.hasSuffix(option) {
            failure.hint = "\(command) \(option)"
        }
        return failure
    }

    /// Reads `PLACE:DIGITS`, as `hsip machine paper` prints it.
    private static func head(_ text: String) throws -> (place: UInt64, digits: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let place = UInt64(parts[0]), parts[1].count == 12,
            parts[1].allSatisfy(\.isASCIIDigit)
        else { throw Failure.usage("--head is the number of an entry, a colon and twelve digits") }
        return (place, String(parts[1]))
    }

    /// Checks that the log has the entry that the paper names.
    private static func compare(_ entries: [[UInt8]], _ head: (place: UInt64, digits: String)) throws {
        for entry in entries {
            let frame = try EntryFrame(entry)
            guard frame.place == head.place else { continue }
            let found = try HeadCode(logID: frame.log.bytes, place: frame.place, hash: frame.head.hash)
            guard try found.number().matches(head.digits) else { throw LogError(.logForked, at: head.place) }
            return
        }
        throw LogError(.logBehind, at: head.place)
    }

    /// Admits this machine, and repeats that if another machine wrote first.
    private func enter(
        _ entry: Entry,
        _ code: Secret,
        _ head: (place: UInt64, digits: String)?,
        _ context: Context,
        _ vault: any VaultService
    ) async throws {
        let (access, place) = (entry.access, entry.place)
        let held = try access.hold()
        defer { withExtendedLifetime(held) {} }
        for _ in 0..<Self.rounds {
            let entries = try access.readWhole()
            if let head { try Self.compare(entries, head) }
            let recovery = LogRecovery(
                code: code,
                entries: entries,
                name: name ?? OwnMachine.name,
                address: place,
                log: entry.log
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

    private func read(_ context: Context, _ vault: any VaultService, isCompared: Bool) async throws {
        let result = try await SyncRun.run(context, vault)
        result.tell(context.output)
        context.output.note(
            isCompared
                ? "the server may have kept back newer entries; if another machine is left, compare: hsip sync head"
                : "nothing proves that this is the newest or the right log; if another machine is left, compare: hsip sync head"
        )
        context.output.hint("hsip machine  lists the machines; revoke the lost, and revoked ones again")
        try context.output.succeed(result.json)
    }

    private func code(_ context: Context) throws -> Secret {
        let typed =
            if let codeFile {
                try Self.firstLine(codeFile, context)
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

extension SyncRecover {
    fileprivate static func firstLine(_ path: String, _ context: Context) throws -> SecretBytes {
        do throws(ProgramError) {
            return try PassphraseFile.read(path)
        } catch {
            var failure = Failure(error)
            failure.message = "\(context.output.display.text(path)): \(failure.message)"
            throw failure
        }
    }
}

extension LogAddress {
    /// The word for the kind of the address, which is typed before it.
    var word: String {
        CarrierAddress.Kind(rawValue: carrier).flatMap { kind in
            SyncRecover.Kind.allCases.first { $0.carrier == kind }?.rawValue
        } ?? "git"
    }
}

internal import AgentProtocol
internal import Commands
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

extension Context {
    /// Has a person type how many there are before all of them leave the vault readable, or compares what `--expect` says.
    ///
    /// - Parameters:
    ///   - count: how many there are.
    ///   - things: what they are, in the plural.
    ///   - warning: a sentence about who can read them.
    ///   - expected: the number that `--expect` says; nil for a question.
    /// - Throws: `refused`; `denied` for another number.
    func confirm(_ count: Int, _ things: String, _ warning: String, expected: String?) throws {
        guard let expected else {
            let isMeant = try terminal.typeIt(
                "\(warning) To continue, type how many \(things) there are (\(count)):",
                expected: "\(count)",
                flag: "--expect \(count)"
            )
            guard isMeant else { throw ConsoleError.refused }
            return
        }
        guard expected == "\(count)" else {
            throw Failure(
                .denied,
                "the number of \(things) is \(count), not what --expect says; nothing was written",
                hint: "--expect \(count)"
            )
        }
    }

    /// Says how an import goes without the agent, if it is more than the agent accepts.
    ///
    /// - Parameters:
    ///   - words: The words of the command after `hsip`.
    ///   - body: The import.
    /// - Returns: What `body` returns.
    /// - Throws: `requestTooLarge`; every other error of `body`.
    func handing<R>(to words: String, _ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch AgentError.refused(.requestTooLarge) {
            throw Failure(
                .requestTooLarge,
                "the agent imports at most \(FrameLimits.whole >> 20) MiB at once; nothing was imported",
                hint: "hsip --no-agent \(words)"
            )
        }
    }
}

/// The passphrase of an export: of a file, or typed.
enum ExportPassphrase {
    /// That of an export which is there.
    static func of(_ file: String?, _ context: Context) throws -> Secret {
        if let file { return try formC(try context.keyPassphrase(from: file)) }
        return try formC(
            Secret(
                try context.terminal.askHidden(
                    "Passphrase of the export",
                    flag: "--export-passphrase-file FILE"
                )
            )
        )
    }

    /// A new one, asked for twice.
    static func new(_ file: String?, allowsWeak: Bool, _ context: Context) throws -> Secret {
        let typed: Secret
        if let file {
            typed = try context.keyPassphrase(from: file)
            context.noteWeakness(of: typed, allowsWeak: allowsWeak)
        } else {
            typed = Secret(
                try context.newFilePassphrase(
                    "New passphrase for the export",
                    flag: "--export-passphrase-file FILE",
                    allowsWeak: allowsWeak
                )
            )
        }
        guard typed.count > 0 else {
            throw Failure(.denied, "the passphrase is empty")
        }
        return try formC(typed)
    }

    private static func formC(_ typed: Secret) throws -> Secret {
        try TypedSecret.passphrase(try SecretBytes(copying: typed))
    }
}

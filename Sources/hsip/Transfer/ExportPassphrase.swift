internal import CommandKit
internal import Console
internal import RecordStore
internal import SSHCommands
internal import VaultCrypto
internal import VaultLifecycle

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

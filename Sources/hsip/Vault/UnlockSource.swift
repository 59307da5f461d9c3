internal import Console
internal import Glibc
internal import Programs
internal import RecordStore
internal import SafeText
internal import VaultCrypto
internal import VaultLifecycle

/// Where the secret that opens a vault comes from.
///
/// The first that applies is the only one tried: one that was named and fails is an error, never a reason to
/// look elsewhere.
enum UnlockSource: Equatable {
    /// `--passphrase-fd`.
    case descriptor(Int32)
    /// `--passphrase-file` or `$HSIP_PASSPHRASE_FILE`.
    case file(String)
    /// A credential that systemd gave to the unit.
    case credential(String)
    /// The person at the terminal.
    case terminal

    /// How often a wrong secret may be followed by another one.
    var tries: Int { self == .terminal ? 3 : 1 }

    /// It was given from outside, so nothing else is tried.
    var isNamed: Bool { self != .terminal }

    /// The source that applies; nil when nobody can be asked.
    static func find(
        _ globals: Globals,
        _ environment: Environment,
        _ terminal: Terminal
    ) throws(Failure) -> UnlockSource? {
        guard globals.passphraseDescriptor == nil || globals.passphraseFile == nil else {
            throw Failure(
                .usage,
                code: "usage",
                message: "--passphrase-fd and --passphrase-file exclude each other"
            )
        }
        if let number = globals.passphraseDescriptor { return .descriptor(number) }
        if let path = globals.passphraseFile ?? environment["HSIP_PASSPHRASE_FILE"] { return .file(path) }
        if let path = Credential.path(environment) { return .credential(path) }
        return terminal.isAvailable ? .terminal : nil
    }

    /// The secret as it came.
    func read(_ question: String, _ context: Context) throws -> SecretBytes {
        switch self {
        case .descriptor(let number):
            guard fcntl(number, F_GETFD) >= 0 else {
                throw Failure(.usage, code: "usage", message: "descriptor \(number) is not open")
            }
            return try PassphraseFile.read(descriptor: Descriptor(number))
        case .file(let path):
            return try Self.named(path, context) { () throws(ConsoleError) in try PassphraseFile.read(path) }
        case .credential(let path):
            return try Self.named(path, context) { () throws(ConsoleError) in try Credential.firstLine(path) }
        case .terminal: return try context.terminal.askHidden(question, flag: "--passphrase-file")
        }
    }

    /// Says which file it was that did not serve.
    private static func named(
        _ path: String,
        _ context: Context,
        _ body: () throws(ConsoleError) -> SecretBytes
    ) throws(Failure) -> SecretBytes {
        do throws(ConsoleError) {
            return try body()
        } catch {
            throw OpeningTexts.secretFile(path, error, context.output.display)
        }
    }
}

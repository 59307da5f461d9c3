internal import Presentation
package import RecordStore
internal import System
package import VaultCrypto
package import VaultLifecycle

/// The source of the secret that opens a vault.
///
/// Only the first source that applies is tried: if a named source fails, that is an error, and no other is tried.
package enum UnlockSource: Equatable {
    /// `--passphrase-fd`, `--passphrase-file`, `$HSIP_PASSPHRASE_FILE`, or a credential that systemd gave to the unit.
    case named(NamedSecret)
    /// `--shares`: people who hold shares, one after the other.
    case shares
    /// `--with tpm2`, `--with fido2`, or the number of such a slot; nil for any of them.
    case device(SlotKind, UInt32?)
    /// The person at the terminal.
    case terminal

    /// The source that applies without `--with`; nil without a user to ask.
    static func find(
        _ globals: Globals,
        _ environment: Environment,
        _ terminal: Terminal
    ) throws(Failure) -> UnlockSource? {
        guard globals.passphraseDescriptor == nil || globals.passphraseFile == nil else {
            throw Failure.usage("--passphrase-fd and --passphrase-file exclude each other")
        }
        if globals.asksShares {
            guard globals.passphraseDescriptor == nil, globals.passphraseFile == nil else {
                throw Failure.usage("--shares and a passphrase exclude each other")
            }
            return .shares
        }
        if let number = globals.passphraseDescriptor {
            return .named(NamedSecret(.descriptor(number), option: "--passphrase-fd"))
        }
        if let path = globals.passphraseFile {
            return .named(NamedSecret(.file(path), option: "--passphrase-file"))
        }
        if let secret = NamedSecret.inherited(environment) { return .named(secret) }
        return terminal.isAvailable && !globals.leavesLocked ? .terminal : nil
    }

    /// Whether the source was named, so that no other is tried.
    var isNamed: Bool { self != .terminal }
}

/// A secret that the person types at the terminal.
package struct TerminalSecret: SecretSource {
    private let context: Context
    /// The vault whose device slots are offered first; nil if the secret has to be typed.
    private let place: VaultPlace?
    /// The question for the secret.
    private let question: () -> String

    package init(context: Context, offering place: VaultPlace? = nil, question: @escaping () -> String) {
        self.context = context
        self.place = place
        self.question = question
    }

    package var isNamed: Bool { false }

    /// Asks while no file is held open, because a person may need a long time.
    package func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        do throws(ConsoleError) {
            let typed = try context.terminal.askHidden(question(), flag: "--passphrase-file")
            guard typed.count > 0 else { throw .refused }
            return typed
        } catch {
            throw .file(error)
        }
    }

    package func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        if attempt == 1, let place, let unlock = try DeviceSecret(context, place).offered() { return unlock }
        let typed = try secret(attempt: attempt)
        do throws(StoreError) { return try TypedSecret.unlock(typed) } catch { throw .store(error) }
    }

    package func tell(slip: StoreError) { context.output.say("hsip: \(slip.explanation.message)") }
}

internal import Presentation
package import RecordStore
internal import System
package import VaultCrypto
package import VaultLifecycle

/// Where the secret that opens a vault comes from.
///
/// The first that applies is the only one tried: one that was named and fails is an error, never a reason to
/// look elsewhere.
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

    /// It was given from outside, so nothing else is tried.
    var isNamed: Bool { self != .terminal }
}

/// A secret that the person types at the terminal.
package struct TerminalSecret: SecretSource {
    private let context: Context
    /// The vault whose slots of devices are offered first; nil for a secret that has to be typed.
    private let place: VaultPlace?
    /// The question for it.
    private let question: () -> String

    package init(context: Context, offering place: VaultPlace? = nil, question: @escaping () -> String) {
        self.context = context
        self.place = place
        self.question = question
    }

    package var isNamed: Bool { false }

    /// Asks, while nothing is held open: a person may take their time.
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

internal import Glibc
internal import SSHFormats
internal import System
internal import VaultCrypto

/// Makes a security key sign with OpenSSH's `ssh-sk-helper`, while the person sees what to do.
///
/// A security key signs for anybody who can reach it, so the decision about a request comes before this.
package struct SecurityKeySigner: Sendable {
    /// The seconds for one signature; a key waits about thirty for its touch.
    private static let patience = 60
    /// The seconds after which a failure counts as a missing touch.
    private static let touch = 5
    /// The number of PINs that a person may type for a signature: after three wrong ones in a row a key has to be
    /// unplugged.
    private static let tries = 2
    /// The milliseconds that a signature waits for earlier ones.
    private static let turn = patience * 1_000

    private let program: @Sendable () -> String?
    private let passing = TimedLock()

    /// Creates a signer.
    ///
    /// - Parameter program: returns the path of `ssh-sk-helper`, which is looked up each time; nil if it is missing.
    package init(
        program: @escaping @Sendable () -> String? = { SecurityKeyProgram.path(in: .process) }
    ) {
        self.program = program
    }

    /// The person for a signature, and the lines of the prompts.
    package struct Person {
        /// Shows the prompts; nil if nobody can be asked.
        let prompter: (any Prompter)?
        /// The lines above the prompt: the program, the server, the key.
        let lines: [String]
        /// The name of the key in prompts.
        let key: String
        /// Ends when the program that wants the signature has gone, or the vault is locked.
        let interest: Cancellation

        /// Creates a person with the lines to show.
        package init(
            _ prompter: (any Prompter)?,
            lines: [String],
            key: String,
            until interest: Cancellation
        ) {
            (self.prompter, self.lines, self.key, self.interest) = (prompter, lines, key, interest)
        }
    }

    /// Signs data with the security key of a handle.
    ///
    /// - Returns: the signature in wire format, verified with the key.
    /// - Throws: the reason why there is no signature.
    func sign(_ data: [UInt8], with key: PrivateKey, _ person: Person) throws(SecurityKeyFault) -> [UInt8] {
        var pin: Secret?
        var typed = 0
        while true {
            do throws(SecurityKeyFault) {
                // A person who types a PIN must not block other signatures.
                let signature = try passing.pass(within: Self.turn) { () throws(SecurityKeyFault) in
                    try touched(data, key, pin, person)
                }
                guard let signature else { throw .busy }
                return signature
            } catch {
                guard error == .pinNeeded || error == .pinWrong, typed < Self.tries else { throw error }
                typed += 1
                pin = try askPIN(attempt: typed, person)
            }
        }
    }

    private func askPIN(attempt: Int, _ person: Person) throws(SecurityKeyFault) -> Secret {
        guard let prompter = person.prompter else { throw .pinNeeded }
        let title = "PIN of the security key of \(person.key)"
        let question = PassphraseQuestion(.pin, title: title, lines: person.lines, attempt: attempt)
        do throws(PromptError) {
            return try prompter.passphrase(question, person.interest)
        } catch {
            throw switch error {
            case .nobody, .failed, .malformed, .tooLong: .pinNeeded
            case .refused, .empty: .dismissed
            case .timedOut, .unseen(seconds: _?): .late
            case .cancelled, .unseen(seconds: nil): .cancelled
            case .noResources: .exhausted
            }
        }
    }

    /// Sends one request, with the prompt shown meanwhile.
    private func touched(
        _ data: [UInt8],
        _ key: PrivateKey,
        _ pin: Secret?,
        _ person: Person
    ) throws(SecurityKeyFault) -> [UInt8] {
        // A PIN of another length is wrong, and would cost the key a try all the same.
        if let pin, !(4...63).contains(pin.count) { throw .pinWrong }
        let notice: TouchNotice
        do { notice = try TouchNotice(under: person.interest) } catch { throw .exhausted }
        let needsTouch = key.securityKey?.needsTouch == true
        if needsTouch, let prompter = person.prompter {
            let title = "Touch the security key of \(person.key)."
            let question = PassphraseQuestion(.touchAlone, title: title, lines: person.lines)
            notice.show(question, by: prompter)
        }
        defer { notice.end() }
        let began = Deadline(seconds: Self.touch)
        do throws(SecurityKeyFault) {
            let answer = try ask(key, data, pin, notice.wait)
            return try SecurityKeyHelper.signature(in: answer, of: key, over: data, hadPIN: pin != nil)
        } catch {
            if notice.isRefused { throw .dismissed }
            if case .failed = error, needsTouch, began.remaining == 0 { throw .untouched }
            throw error
        }
    }

    private func ask(
        _ key: PrivateKey,
        _ data: [UInt8],
        _ pin: Secret?,
        _ interest: Cancellation
    ) throws(SecurityKeyFault) -> [UInt8] {
        guard let path = program() else { throw .noHelper }
        guard let request = try? SecurityKeyHelper.request(key, signing: data, pin: pin) else {
            throw .exhausted
        }
        do throws(PromptError) {
            let process = try PromptProcess(path, [], [], seconds: Self.patience, interest)
            try process.write(request)
            process.closeInput()
            return try Self.answer(of: process)
        } catch {
            throw switch error {
            case .nobody: .noHelper
            case .timedOut: .untouched
            case .cancelled: .cancelled
            case .noResources: .exhausted
            case .refused, .empty, .failed, .malformed, .tooLong, .unseen: .answerless
            }
        }
    }

    private static func answer(of process: PromptProcess) throws(PromptError) -> [UInt8] {
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1_024)
        while true {
            let length: Int?
            do { length = try SecurityKeyHelper.length(of: answer) } catch { throw .malformed }
            if let length, answer.count >= length {
                guard answer.count == length else { throw .malformed }
                return answer
            }
            var span = chunk.mutableSpan
            var place = unsafe span.mutableBytes
            let count = try process.read(into: &place)
            guard count > 0 else { throw .failed(status: 0) }
            answer += chunk[..<count]
        }
    }
}

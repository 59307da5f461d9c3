internal import System
package import VaultCrypto

/// Asks for a passphrase with systemd-ask-password(1), on the console of a machine where nobody is logged in.
///
/// It needs write access to /run/systemd/ask-password, which a system service has.
package struct SystemdPrompter: Prompter {
    /// The exit status after a timeout: ETIME.
    private static let late: Int32 = 62

    private let place: PromptPlace
    private let program: String?
    private let seconds: Int

    /// Creates a prompter for the machine.
    ///
    /// - Parameters:
    /// - place: supplies the environment of the program.
    /// - program: the path; nil for the program in the agent's own path.
    /// - seconds: the time for an answer.
    package init(place: PromptPlace, program: String? = nil, seconds: Int = PinentryPrompter.patience) {
        self.place = place
        self.program = program
        self.seconds = seconds
    }

    package func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        guard let path = program ?? place.program("systemd-ask-password") else { throw .nobody }
        // It shows one line only, so sentences lose their full stop.
        let facts = question.lines.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        let lines = facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
        let process = try PromptProcess(
            path,
            [
                "--no-tty", "--timeout=\(seconds)", "--id=hsip", "--echo=no", "--",
                "\(question.title)\(lines):",
            ],
            place.variables(),
            seconds: seconds + 5,
            cancellation
        )
        process.closeInput()
        let line = try firstLine(of: process)
        switch try process.status() {
        case 0: break
        case Self.late: throw .timedOut(seconds: seconds)
        // Without the right to ask, the program ends immediately.
        default: throw .nobody
        }
        guard line.count > 0 else { throw .empty }
        return line
    }

    /// It cannot ask for an approval.
    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        throw .nobody
    }

    private func firstLine(of process: PromptProcess) throws(PromptError) -> Secret {
        var buffer = try PromptMemory.buffer()
        var chunk = try PromptMemory.bytes(1_024)
        var isOver = false
        while true {
            let count = try chunk.withMutableBytes { span throws(PromptError) in try process.read(into: &span)
            }
            guard count > 0 else { break }
            for index in 0..<count where !isOver {
                let byte = chunk.withBytes { $0.byte(at: index) }
                isOver = byte == 0x0A
                if !isOver { try PromptMemory.append(byte, to: &buffer) }
            }
        }
        return Secret(try PromptMemory.finish(buffer))
    }
}

/// Locked memory for typed text, with the errors of a prompter.
enum PromptMemory {
    /// The length of the longest passphrase in bytes.
    static let longest = PassphraseFile.limit

    static func bytes(_ size: Int) throws(PromptError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(count: size) } catch { throw .noResources }
    }

    static func buffer(_ limit: Int = longest) throws(PromptError) -> SecretBuffer {
        do throws(ProgramError) { return try SecretBuffer(limit: limit) } catch { throw .noResources }
    }

    /// - Throws: `tooLong` above the buffer's limit.
    static func append(_ byte: UInt8, to buffer: inout SecretBuffer) throws(PromptError) {
        do throws(ProgramError) {
            try buffer.append(byte)
        } catch {
            throw error == .outOfMemory ? .noResources : .tooLong
        }
    }

    static func finish(_ buffer: consuming SecretBuffer) throws(PromptError) -> SecretBytes {
        do throws(ProgramError) { return try buffer.finish() } catch { throw .noResources }
    }
}

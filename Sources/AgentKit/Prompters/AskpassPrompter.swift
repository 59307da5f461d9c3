internal import Glibc

/// Asks for approval with `$SSH_ASKPASS`, the program that OpenSSH itself uses.
///
/// The prompt is the argument. An approval is the word `yes` with exit status 0, as in ssh(1) for the key of a new
/// host. Two buttons would not suffice: if Enter presses the button that allows, Enter alone would approve.
package struct AskpassPrompter: Prompter {
    /// The path of the program in Debian's alternatives.
    private static let common = "/usr/bin/ssh-askpass"

    private let place: PromptPlace
    private let program: String?
    private let seconds: Int

    /// Creates a prompter for the display of a place.
    ///
    /// - Parameters:
    /// - place: the place of the prompt.
    /// - program: the path; nil for the agent's `$SSH_ASKPASS`, or the system's program.
    /// - seconds: the time for an answer.
    package init(place: PromptPlace, program: String? = nil, seconds: Int = PinentryPrompter.patience) {
        self.place = place
        self.program = program
        self.seconds = seconds
    }

    private var path: String { program ?? place.setting("SSH_ASKPASS") ?? Self.common }

    /// Whether the program and a display exist.
    var isThere: Bool {
        let isForced = place.setting("SSH_ASKPASS_REQUIRE") == "force"
        guard place.hasDisplay || isForced, path.hasPrefix("/") else { return false }
        return unsafe access(path, X_OK) == 0
    }

    package func confirm(
        _ question: ConfirmQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Confirmation {
        guard isThere else { throw .nobody }
        let process = try PromptProcess(
            path,
            [
                ([question.title] + question.lines + question.howToAllow).joined(separator: "\n")
            ],
            place.variables(),
            seconds: seconds,
            cancellation
        )
        process.closeInput()
        let answer = try answer(of: process)
        return try process.status() == 0 ? question.answer(answer) : .deny
    }

    /// Returns the program's output without its line feed, up to a length that suffices to recognise an approval.
    private func answer(of process: PromptProcess) throws(PromptError) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64)
        while true {
            var span = chunk.mutableSpan
            var place = unsafe span.mutableBytes
            let count = try process.read(into: &place)
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= 64 else { throw .tooLong }
        }
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A program that ended otherwise than a test needs it.
public struct HelperFailure: Error, CustomStringConvertible {
    /// What was run, and how it ended.
    public let description: String
}

/// A program of a scratch session; it ends with its last holder.
final class Helper: Sendable {
    private let program: Spawned
    private let name: String

    /// Starts a program of `/usr/bin`, with this environment and no other.
    ///
    /// - Parameters:
    ///   - command: Its name, and its arguments.
    ///   - environment: All its variables.
    ///   - input: What it reads, short enough for a pipe; nothing when nil.
    ///   - staysOpen: Whether its input ends only with the helper.
    /// - Throws: `HelperFailure` when it cannot be started.
    init(
        _ command: [String],
        environment: [String: String],
        input: String? = nil,
        staysOpen: Bool = false
    ) throws {
        name = command.joined(separator: " ")
        guard let path = command.first else { throw HelperFailure(description: "no command") }
        program = try Spawned(
            path,
            Array(command.dropFirst()),
            environment: environment,
            keepsErrors: false
        )
        // It may have ended without reading: its status says what that means.
        if let input, !input.isEmpty { try? program.tell(input) }
        if !staysOpen { program.endInput() }
    }

    var identifier: Int32 { program.identifier }

    /// Feeds a program whose input is open.
    func tell(_ input: String) throws { try program.tell(input) }

    /// Waits for one line.
    @discardableResult
    func readLine() throws -> String { try program.readLine() }

    /// Waits for the end.
    func output(status: Int32) throws -> String {
        let end = try program.end()
        guard end.status == status else {
            throw HelperFailure(description: "\(name) ended with \(end.status)")
        }
        return String(decoding: end.output, as: UTF8.self)
    }

    func signal(_ number: Int32) { program.signal(number) }

    /// Ends it at once, and waits until it is gone.
    func kill() { program.kill() }
}

internal import Dispatch
internal import Foundation
internal import Synchronization

/// A program that ended otherwise than a test needs it.
public struct HelperFailure: Error, CustomStringConvertible {
    /// What was run, and how it ended.
    public let description: String
}

/// A program that a test started; it ends with its last holder.
final class Helper: Sendable {
    private let process = Process()
    private let name: String
    private let talk = Pipe()
    private let feed = Pipe()
    private let ended = DispatchGroup()

    /// Starts a program of `/usr/bin`, with this environment and no other.
    ///
    /// - Parameters:
    ///   - input: What it reads; nothing when nil.
    ///   - staysOpen: Whether its input ends only with the helper.
    init(
        _ command: [String],
        environment: [String: String],
        input: String? = nil,
        staysOpen: Bool = false
    ) throws {
        name = command.joined(separator: " ")
        // Threads of a test run block signals, and a program would inherit that.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--default-signal"] + command
        process.environment = environment
        process.standardOutput = talk
        process.standardError = FileHandle.nullDevice
        process.standardInput = input == nil ? FileHandle.nullDevice : feed
        ended.enter()
        process.terminationHandler = { [ended] _ in ended.leave() }
        do {
            try process.run()
        } catch {
            ended.leave()
            throw error
        }
        if let input { try tell(input) }
        if !staysOpen { try feed.fileHandleForWriting.close() }
    }

    var identifier: Int32 { process.processIdentifier }

    /// Feeds a program whose input is open.
    func tell(_ input: String) throws {
        try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    }

    /// Waits for one line.
    @discardableResult
    func readLine() throws -> String {
        var line = Data()
        while let byte = try talk.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
            line += byte
            guard !byte.isEmpty else { break }
        }
        guard !line.isEmpty else { throw HelperFailure(description: "\(name) said nothing") }
        return String(decoding: line, as: UTF8.self)
    }

    /// Waits for the end.
    func output(status: Int32) throws -> String {
        let data = try talk.fileHandleForReading.readToEnd() ?? Data()
        ended.wait()
        guard process.terminationStatus == status else {
            throw HelperFailure(description: "\(name) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

    /// Ends it at once, and waits until it is gone.
    func kill() {
        guard process.isRunning else { return }
        signal(SIGKILL)
        ended.wait()
    }

    deinit { kill() }
}

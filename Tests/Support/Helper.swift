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

    /// Starts a program of `/usr/bin`, with this environment and no other.
    init(_ command: [String], environment: [String: String], input: String? = nil) throws {
        name = command.joined(separator: " ")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + (command.first ?? ""))
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.standardOutput = talk
        process.standardError = FileHandle.nullDevice
        let feed = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : feed
        try process.run()
        if let input { try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try feed.fileHandleForWriting.close()
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
        process.waitUntilExit()
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
        process.waitUntilExit()
    }

    deinit { kill() }
}

import Files
import Foundation
import Glibc
import System
import Testing

@testable import AgentKit

/// A folder with made-up helper programs, removed with this value.
final class Scripts: Sendable {
    let folder: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hsip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Writes a program; `$DIR` in it is the folder.
    func add(_ name: String, _ text: String, shell: String = "/bin/sh") async throws -> String {
        let path = "\(folder)/\(name)"
        let body = "#!\(shell)\n\(text.replacing("$DIR", with: folder))\n"
        try await onThread {
            // Written by a child: a descriptor of this process could leak into another test's child, and the
            // program would be "busy" for a moment.
            var writer = ChildProcess(path: "/bin/sh")
            writer.arguments = ["-c", "cat > \"$0\"; chmod 755 \"$0\"", path]
            writer.environment = ["PATH=/usr/bin:/bin"]
            writer.input = Array(body.utf8)
            guard try writer.run().status == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
        return path
    }

    /// What a program wrote into a file of the folder.
    func text(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
    }

    /// Waits until a line appears in a named pipe that a program writes to.
    func line(from fifo: String) async throws -> String {
        let path = "\(folder)/\(fifo)"
        return try await onThread {
            let file = try OpenFile(named: path, O_RDONLY)
            return file.use { file in
                var bytes: [UInt8] = []
                var byte: UInt8 = 0
                while unsafe read(file.number, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// Makes a named pipe in the folder.
    func addFifo(_ name: String) throws {
        try #require(unsafe mkfifo("\(folder)/\(name)", 0o600) == 0)
    }

    /// A pinentry that does what a few lines of sh say for each command, and `OK` for all others.
    ///
    /// What it was told is in the file `told`.
    func pinentry(_ cases: String) async throws -> String {
        try await add(
            "pinentry",
            """
            echo "OK Pleased to meet you"
            while read -r command rest; do
              printf '%s %s\\n' "$command" "$rest" >> "$DIR/told"
              case "$command" in
            \(cases)
              *) echo OK;;
              esac
            done
            """
        )
    }
}

/// Runs what blocks on a thread of its own.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try OwnThread.start("test") { continuation.resume(with: Result { try body() }) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// Waits until a process is gone, or only waits to be collected by anyone who that falls to.
func isGone(_ process: Int32) -> Bool {
    for _ in 0..<2_000 {
        let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        guard let state = line.split(separator: ") ").last?.first, state != "Z" else { return true }
        _ = poll(nil, 0, 5)
    }
    return false
}

/// `Testing` has a type of the same name.
typealias Said = AgentKit.Confirmation

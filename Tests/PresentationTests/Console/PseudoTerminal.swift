import CLinux
import Foundation
import Glibc
import Presentation
import System
import Testing

/// A terminal whose keyboard and screen the test holds.
final class PseudoTerminal: Sendable {
    let device: String
    private let master: Int32
    /// Keeps the other side open, so that a question that ends does not hang up.
    private let slave: Int32

    init() throws {
        var name = [CChar](repeating: 0, count: 256)
        master = unsafe hsip_open_pty(&name, 256)
        try #require(master >= 0)
        device = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        slave = unsafe open(device, O_RDWR | O_NOCTTY)
        try #require(slave >= 0)
    }

    /// Types.
    func type(_ keys: String) throws {
        try Descriptor(master).write(keys)
    }

    /// What appears on the screen until `text` is in it, at most ten seconds.
    @discardableResult func read(until text: String) throws -> String {
        var seen: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while !String(decoding: seen, as: UTF8.self).contains(text) {
            var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            try #require(unsafe poll(&request, 1, 120_000) > 0, "\(String(decoding: seen, as: UTF8.self))")
            let count = unsafe Glibc.read(master, &chunk, chunk.count)
            try #require(count > 0)
            seen += chunk.prefix(count)
        }
        return String(decoding: seen, as: UTF8.self)
    }

    /// The mode of the line: echo, line by line, signals.
    func mode() -> [tcflag_t] {
        var mode = termios()
        _ = unsafe tcgetattr(slave, &mode)
        return [mode.c_iflag, mode.c_lflag]
    }

    /// Asks on a thread of its own while the test types.
    func asking<T: Sendable>(
        _ console: ConsoleEnvironment = ConsoleEnvironment(),
        _ ask: @escaping @Sendable (Terminal) throws -> T
    ) -> Asked<T> {
        let terminal = Terminal(isAllowed: true, console: console, device: device)
        return Asked { try ask(terminal) }
    }

    deinit {
        close(slave)
        close(master)
    }
}

/// The answer of a question that was asked on another thread.
final class Asked<T: Sendable>: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var result: Result<T, any Error>?

    init(_ ask: @escaping @Sendable () throws -> T) {
        Thread {
            self.result = Result { try ask() }
            self.done.signal()
        }.start()
    }

    func answer() throws -> T {
        try #require(done.wait(timeout: .now() + 60) == .success)
        return try #require(result).get()
    }
}

internal import ArgumentParser
internal import Console
internal import Glibc
internal import Programs
internal import VaultCrypto

/// The process that `secret get --copy` and `secret generate --copy` leave behind: it waits, and empties the clipboard
/// if it still holds what was put there.
///
/// A signal that would end it lets it do so at once.
struct ClipboardKeeper: Command {
    static let path = "clipboard-keeper"
    static let configuration = CommandConfiguration(
        commandName: "clipboard-keeper",
        abstract: "Empty the clipboard later, if it is unchanged; started by --copy.",
        shouldDisplay: false
    )

    func run(_ context: Context) async throws {
        let signals = try SignalWatch()
        let sent = try OwnFile.allOf(.input, limit: ClipboardMark.size).withBytes { $0.copied() }
        guard let mark = ClipboardMark(encoded: sent) else {
            throw Failure(.usage, code: "usage", message: "this is started by --copy")
        }
        var request = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, Int32(mark.seconds) * 1_000)
        let clipboard = Clipboard(environment: context.environment)
        for selection in Clipboard.Selection.allCases {
            // One that cannot be read does not keep the other from being emptied.
            do throws(ConsoleError) { try clipboard.clear(selection, ifMarked: mark) } catch {}
        }
        signals.stop()
    }
}

extension Context {
    /// Lets a process empty the clipboard after some seconds.
    func emptyClipboardLater(_ mark: ClipboardMark) throws {
        var variables: [String] = []
        for name in ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME", "PATH"] {
            if let value = environment[name] { variables.append("\(name)=\(value)") }
        }
        try mark.hand(to: "/proc/self/exe", [ClipboardKeeper.path], variables)
    }
}

internal import ArgumentParser
internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto

/// The process that `secret get --copy` and `secret generate --copy` leave behind: it waits, and empties the clipboard
/// if it still holds what was put there.
///
/// A signal that would end it lets it do so at once.
struct ClipboardKeeper: Command {
    static let path = "clipboard-keeper"
    static let configuration = CommandConfiguration(
        commandName: "clipboard-keeper",
        abstract: "Empty the clipboard later, if unchanged; for --copy.",
        shouldDisplay: false
    )

    func run(_ context: Context) async throws {
        let signals = try SignalWatch()
        let sent = try OwnFile.allOf(.input, limit: ClipboardMark.size).withBytes { $0.copied() }
        guard let mark = ClipboardMark(encoded: sent) else {
            throw Failure.usage("only --copy starts this command")
        }
        var request = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, Int32(mark.seconds) * 1_000)
        context.emptyClipboard(mark)
        signals.stop()
    }
}

extension Context {
    /// Empties the clipboard if it still holds what was copied, and the marked text too.
    func emptyClipboard(_ mark: ClipboardMark) {
        let clipboard = Clipboard(environment: environment)
        for selection in Clipboard.Selection.allCases {
            // One that cannot be read does not keep the other from being emptied.
            do throws(ConsoleError) { try clipboard.clear(selection, ifMarked: mark) } catch {}
        }
    }

    /// Lets a process empty the clipboard after some seconds; where none can be started, it is emptied at once.
    ///
    /// - Throws: why no process can do it later.
    func emptyClipboardLater(_ mark: ClipboardMark) throws {
        var variables: [String] = []
        for name in ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME", "PATH"] {
            if let value = environment[name] { variables.append("\(name)=\(value)") }
        }
        do throws(ProgramError) {
            try mark.hand(to: "/proc/self/exe", [ClipboardKeeper.path], variables)
        } catch {
            emptyClipboard(mark)
            throw error
        }
    }
}

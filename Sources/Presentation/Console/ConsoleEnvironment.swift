internal import CLinux
internal import Glibc
package import System

/// The surroundings of the program: which of its streams are terminals, their width, and their abilities.
package struct ConsoleEnvironment: Equatable, Sendable {
    package var inputIsTerminal: Bool
    package var outputIsTerminal: Bool
    package var errorIsTerminal: Bool
    package var window: WindowSize
    /// Whether the locale uses UTF-8.
    ///
    /// If not, all output is ASCII, and QR codes are written to files.
    package var isUTF8: Bool
    /// `TERM=dumb`: no colours, no cursor movement.
    package var isDumb: Bool
    /// Whether `$NO_COLOR` is set.
    package var refusesColor: Bool
    /// Whether a Wayland or X display exists.
    package var hasDisplay: Bool
    /// Whether `$HSIP_NO_INPUT` is set, so that nothing may be asked.
    package var refusesInput: Bool

    package init(
        inputIsTerminal: Bool = false,
        outputIsTerminal: Bool = false,
        errorIsTerminal: Bool = false,
        window: WindowSize = WindowSize(columns: 80, rows: 24),
        isUTF8: Bool = true,
        isDumb: Bool = false,
        refusesColor: Bool = false,
        hasDisplay: Bool = false,
        refusesInput: Bool = false
    ) {
        self.inputIsTerminal = inputIsTerminal
        self.outputIsTerminal = outputIsTerminal
        self.errorIsTerminal = errorIsTerminal
        self.window = window
        self.isUTF8 = isUTF8
        self.isDumb = isDumb
        self.refusesColor = refusesColor
        self.hasDisplay = hasDisplay
        self.refusesInput = refusesInput
    }

    /// Detects the three streams and the environment.
    package static func current(_ environment: Environment = .process) -> ConsoleEnvironment {
        ConsoleEnvironment(
            inputIsTerminal: isatty(STDIN_FILENO) == 1,
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            window: window(environment),
            isUTF8: speaksUTF8(environment),
            isDumb: environment["TERM"] == "dumb",
            refusesColor: environment["NO_COLOR"] != nil,
            hasDisplay: environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil,
            refusesInput: environment["HSIP_NO_INPUT"].map { $0 != "0" } ?? false
        )
    }

    /// Returns the window size of a descriptor; nil if it is not a terminal or has no size.
    package static func window(of descriptor: Int32) -> WindowSize? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Whether the locale's character set is UTF-8, by the order of POSIX: the first variable that is set decides.
    static func speaksUTF8(_ environment: Environment) -> Bool {
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "C"
        return locale.split(separator: ".").contains { part in
            let name = part.lowercased()
            return name.hasPrefix("utf-8") || name.hasPrefix("utf8")
        }
    }

    static func window(_ environment: Environment) -> WindowSize {
        let found = window(of: STDOUT_FILENO) ?? window(of: STDERR_FILENO) ?? window(of: STDIN_FILENO)
        let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let rows = environment["LINES"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return WindowSize(columns: columns ?? found?.columns ?? 80, rows: rows ?? found?.rows ?? 24)
    }
}

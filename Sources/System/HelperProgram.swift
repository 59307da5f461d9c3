internal import Glibc

/// The programs of other projects that this program may start, and the Debian package of each.
package enum HelperProgram: String, Equatable, Sendable {
    case zbarimg
    case zbarcam
    case wlCopy
    case wlPaste
    case xclip
    case lp
    case git
    case ssh
    case curl
    case dbusDaemon

    /// The name of the program in `$PATH`.
    package var executable: String {
        switch self {
        case .zbarimg: "zbarimg"
        case .zbarcam: "zbarcam"
        case .wlCopy: "wl-copy"
        case .wlPaste: "wl-paste"
        case .xclip: "xclip"
        case .lp: "lp"
        case .git: "git"
        case .ssh: "ssh"
        case .curl: "curl"
        case .dbusDaemon: "dbus-daemon"
        }
    }

    /// The Debian package that contains the program.
    package var package: String {
        switch self {
        case .zbarimg, .zbarcam: "zbar-tools"
        case .wlCopy, .wlPaste: "wl-clipboard"
        case .xclip: "xclip"
        case .lp: "cups-client"
        case .git: "git"
        case .ssh: "openssh-client"
        case .curl: "curl"
        case .dbusDaemon: "dbus-daemon"
        }
    }
}

/// Starts the helper programs, each with the few environment variables that it needs.
package struct HelperRunner {
    package let environment: Environment

    /// The variables by which a program finds the display and gets permission for the camera.
    private static let display = ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME"]

    package init(environment: Environment) {
        self.environment = environment
    }

    /// The process for a program, ready to be given input and run.
    ///
    /// It gets the variables in `names` and, if `needsDisplay`, the variables for the display, as far as they are set. It
    /// always gets `PATH`, `LC_ALL=C.UTF-8` and the variables in `settings`.
    package func process(
        _ program: HelperProgram,
        _ arguments: [String],
        needsDisplay: Bool = false,
        passing names: [String] = [],
        setting settings: [String: String] = [:]
    ) throws(ProgramError) -> ChildProcess {
        guard let path = ChildProcess.find(program.executable, in: environment) else {
            throw .missingProgram(program)
        }
        var process = ChildProcess(path: path)
        process.arguments = arguments
        var variables = ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        for name in names + (needsDisplay ? Self.display : []) {
            variables[name] = environment[name]
        }
        variables.merge(settings) { $1 }
        process.environment = variables.map { "\($0.key)=\($0.value)" }.sorted()
        return process
    }
}

/// `ssh-sk-helper`, OpenSSH's program that lets a security key sign.
package enum SecurityKeyProgram {
    /// The paths at which Linux distributions install the program.
    private static let places = [
        "/usr/lib/openssh/ssh-sk-helper", "/usr/libexec/openssh/ssh-sk-helper", "/usr/lib/ssh/ssh-sk-helper",
        "/usr/libexec/ssh-sk-helper", "/usr/local/libexec/ssh-sk-helper",
    ]

    /// The path of the program: `$SSH_SK_HELPER` as in OpenSSH, else the usual paths; nil if it is not there.
    package static func path(in environment: Environment) -> String? {
        let places = environment["SSH_SK_HELPER"].map { [$0] } ?? places
        return places.filter { $0.hasPrefix("/") }.first { unsafe access($0, X_OK) == 0 }
    }
}

/// The programs of others that this one may start, and the Debian package that has each.
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

    /// Its name in `$PATH`.
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

    /// The package to install.
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

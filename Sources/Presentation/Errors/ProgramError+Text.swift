internal import Glibc
package import System

extension ProgramError: Explainable {
    package var explanation: Failure {
        var text = Failure(name, message, hint: hint, exitCode: signal)
        text.isCancellation = self == .refused
        return text
    }

    /// The name for scripts gives the kind of error only; the text for people says which error it was.
    private var name: ErrorName {
        switch self {
        case .inputNeeded, .windowTooSmall: .inputNeeded
        case .refused, .interrupted, .shortPassphrase, .weakPassphrase, .entriesDiffer, .unsafeFile: .denied
        case .timedOut, .fileChanged: .busy
        case .noSuchFile: .notFound
        case .fileExists: .alreadyExists
        case .tooLarge, .notText, .notAnImage, .noCodeInImage, .tooLongForQR: .malformedInput
        case .diskFull: .diskFull
        case .outOfMemory: .outOfMemory
        case .notReadable, .missingProgram, .missingLibrary, .programFailed, .noClipboard: .unavailable
        case .closedPipe, .io: .failure
        }
    }

    /// The exit code after a signal: 128 plus the signal, as shells expect; nil for other errors.
    private var signal: Int32? {
        switch self {
        case .interrupted(let signal): 128 + signal
        case .closedPipe: 128 + SIGPIPE
        default: nil
        }
    }

    private var message: String {
        switch self {
        case .inputNeeded("--yes"?): "hsip cannot ask for confirmation here"
        case .inputNeeded(.some): "hsip cannot ask for an answer here"
        case .inputNeeded(nil): "only a person at a terminal can answer this question"
        case .refused: "Cancelled."
        case .interrupted: "interrupted"
        case .timedOut(let seconds): "nobody answered within \(seconds) seconds"
        case .shortPassphrase(let minimum): "the passphrase needs at least \(minimum) characters"
        case .weakPassphrase(let bits, let needed):
            "the passphrase is easy to guess: about \(bits) bits, and \(needed) are needed"
        case .entriesDiffer: "the two entries differ"
        case .noSuchFile: "no such file"
        case .fileExists: "the file already exists"
        case .notReadable: "this user may not read or write the file"
        case .unsafeFile(let reason): Self.message(reason)
        case .tooLarge(let limit): "the input is larger than \(Self.size(limit))"
        case .fileChanged: "the file changed while it was read"
        case .notText: "the input is not UTF-8 text"
        case .diskFull: "the disk is full"
        case .closedPipe: "the program that reads the output has ended"
        case .io(let code): "input or output failed (errno \(code))"
        case .outOfMemory: "hsip cannot lock enough memory"
        case .notAnImage: "the file is not a PNG or JPEG image"
        case .noCodeInImage: "no QR code found in the image"
        case .tooLongForQR: "the text is too long for a QR code"
        case .windowTooSmall(let window, let needed):
            "the QR code needs \(needed), and your window is \(window)"
        case .missingProgram(let program): "\(program.executable) is not installed"
        case .missingLibrary(let library): "\(library.name) is not installed"
        case .programFailed(let program, let status): "\(program.executable) failed with status \(status)"
        case .noClipboard:
            "hsip cannot reach a clipboard: no Wayland or X session, or no tool for its clipboard"
        }
    }

    private var hint: String? {
        switch self {
        case .inputNeeded(let flag?): flag.hasPrefix("-") ? "add \(flag)" : flag
        case .inputNeeded(nil): "run the command at a terminal, without --no-input"
        case .shortPassphrase, .weakPassphrase: "type a longer one, or start again with --weak"
        case .fileExists: "--force  replaces the file"
        case .fileChanged: "try again when no program writes to the file"
        case .unsafeFile(.readableByOthers): "chmod go= FILE"
        case .windowTooSmall: "enlarge the window, or add --qr=png"
        case .missingProgram(let program): "apt install \(program.package)"
        case .missingLibrary(let library): "apt install \(library.package)"
        case .noClipboard: "apt install wl-clipboard xclip"
        default: nil
        }
    }

    private static func message(_ reason: UnsafeFile) -> String {
        switch reason {
        case .notMine: "the file or folder belongs to another user"
        case .readableByOthers: "other users can use the file or folder"
        case .notAFile: "the path does not lead to an ordinary file"
        case .notAKey: "the file is not a key file of a vault (HSIP-KEYFILE-1)"
        case .empty: "the first line of the file is empty: it must be the passphrase or key"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}

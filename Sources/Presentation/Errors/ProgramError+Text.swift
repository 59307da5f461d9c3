internal import Glibc
package import Programs

extension ProgramError: Explainable {
    package var explanation: ErrorText {
        var text = ErrorText(name, message, hint: hint, exitCode: signal)
        text.isCancellation = self == .refused
        return text
    }

    /// Scripts get the kind of error; people read which it was.
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

    /// Signals end the program as a shell expects: 128 and the signal.
    private var signal: Int32? {
        switch self {
        case .interrupted(let signal): 128 + signal
        case .closedPipe: 128 + SIGPIPE
        default: nil
        }
    }

    private var message: String {
        switch self {
        case .inputNeeded(let flag?): "this needs an answer, but there is nowhere to ask (\(flag))"
        case .inputNeeded(nil): "this asks a person, but there is no terminal to ask at"
        case .refused: "Cancelled. Nothing changed."
        case .interrupted: "interrupted"
        case .timedOut(let seconds): "no one answered within \(seconds) seconds"
        case .shortPassphrase(let minimum): "a passphrase needs at least \(minimum) characters"
        case .weakPassphrase(let bits, let needed):
            "this passphrase is easy to guess: about \(bits) bits, and \(needed) are needed"
        case .entriesDiffer: "the two entries are not the same"
        case .noSuchFile: "there is no such file"
        case .fileExists: "the file exists already"
        case .notReadable: "the file may not be read or written by this user"
        case .unsafeFile(let reason): Self.message(reason)
        case .tooLarge(let limit): "the input is larger than \(Self.size(limit))"
        case .fileChanged: "the file changed while it was read"
        case .notText: "the input is not UTF-8 text"
        case .diskFull: "the disk is full"
        case .closedPipe: "the reader of the output has gone"
        case .io(let code): "input or output failed (errno \(code))"
        case .outOfMemory: "no locked memory left"
        case .notAnImage: "the file is not a PNG or JPEG image"
        case .noCodeInImage: "no QR code found in the image"
        case .tooLongForQR: "the text is too long for a QR code"
        case .windowTooSmall(let window, let needed):
            "the QR code needs \(needed), and the window is \(window)"
        case .missingProgram(let program): "\(program.executable) is not installed"
        case .missingLibrary(let library): "\(library.name) is not installed"
        case .programFailed(let program, let status): "\(program.executable) failed with status \(status)"
        case .noClipboard: "there is no clipboard here: neither Wayland nor X, or no tool for it"
        }
    }

    private var hint: String? {
        switch self {
        case .inputNeeded(let flag?): "answer with \(flag)"
        case .inputNeeded(nil): "run it at a terminal, without --no-input"
        case .shortPassphrase, .weakPassphrase: "type a longer one, or start again with --weak"
        case .fileExists: "--force replaces it"
        case .fileChanged: "try again when no program writes to it"
        case .unsafeFile(.readableByOthers): "chmod go= FILE"
        case .windowTooSmall: "enlarge the window, or --qr=png"
        case .missingProgram(let program): "apt install \(program.package)"
        case .missingLibrary(let library): "apt install \(library.package)"
        case .noClipboard: "apt install wl-clipboard, or xclip"
        default: nil
        }
    }

    private static func message(_ reason: UnsafeFile) -> String {
        switch reason {
        case .notMine: "the file or folder belongs to another user"
        case .readableByOthers: "the file or folder is open to the group or to everyone"
        case .notAFile: "it is not an ordinary file"
        case .empty: "the file with the passphrase or key has no first line"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}

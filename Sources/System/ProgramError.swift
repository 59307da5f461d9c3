/// The errors between the program and its environment.
///
/// Payloads are numbers and words of our own (the name of a flag), never text that a person typed.
package enum ProgramError: Error, Equatable, Sendable {
    // Questions
    /// The program must ask, but cannot or may not; the option `flag` would answer, nil if only a person can.
    case inputNeeded(flag: String?)
    /// The person closed the prompt.
    case refused
    /// A signal came while a question was open; the terminal is restored.
    case interrupted(signal: Int32)
    /// The person did not answer within the deadline.
    case timedOut(seconds: Int)
    /// A new passphrase has fewer characters than the minimum.
    case shortPassphrase(minimum: Int)
    /// A new passphrase is too easy to guess.
    case weakPassphrase(bits: Int, needed: Int)
    /// The two entries of a new secret differ.
    case entriesDiffer

    // Files and streams
    case noSuchFile
    case fileExists
    case notReadable
    case unsafeFile(UnsafeFile)
    case tooLarge(limit: Int)
    /// A file became shorter while it was read.
    case fileChanged
    case notText
    case diskFull
    /// The reader of the output has closed it; the program ends without a message.
    case closedPipe
    case io(code: Int32)
    case outOfMemory

    // Codes as pictures, helper programs
    case notAnImage
    case noCodeInImage
    case tooLongForQR
    case windowTooSmall(window: WindowSize, needed: WindowSize)
    case missingProgram(HelperProgram)
    case programFailed(HelperProgram, status: Int32)
    case missingLibrary(PictureLibrary)
    case noClipboard
}

/// Why a file that holds a secret is not accepted.
package enum UnsafeFile: String, Equatable, Sendable {
    /// It belongs to another user.
    case notMine
    /// Its group or everyone may read or write it.
    case readableByOthers
    /// It is a folder, a device or another file that is not a regular one.
    case notAFile
    /// It has no first line.
    case empty
    /// It is not a key file of a vault.
    case notAKey
}

/// The libraries that draw pictures; they are loaded when the first picture is drawn.
package enum PictureLibrary: Sendable {
    case qrencode, png

    /// The usual name of the library.
    package var name: String {
        switch self {
        case .qrencode: "libqrencode"
        case .png: "libpng"
        }
    }

    /// The Debian package that contains the library.
    package var package: String {
        switch self {
        case .qrencode: "libqrencode4"
        case .png: "libpng16-16"
        }
    }
}

/// What can go wrong between the program and its environment.
///
/// Payloads are numbers and words of our own (the name of a flag), never text that was typed.
package enum ProgramError: Error, Equatable, Sendable {
    // Questions
    /// A question would have been asked, but no one may or can be; `flag` answers it, nil where only a person does.
    case inputNeeded(flag: String?)
    /// The person closed the prompt.
    case refused
    /// A signal came while a question was open; the terminal is restored.
    case interrupted(signal: Int32)
    /// No one answered within the deadline.
    case timedOut(seconds: Int)
    /// A new passphrase has fewer characters than the minimum.
    case shortPassphrase(minimum: Int)
    /// A new passphrase is guessed sooner than it should be.
    case weakPassphrase(bits: Int, needed: Int)
    /// The two entries of a new secret were not the same.
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
    /// The reader of our output has gone: the program ends silently.
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
    /// It is a folder, a device or something else that is no ordinary file.
    case notAFile
    /// It has no first line.
    case empty
    /// It is not a key file of a vault.
    case notAKey
}

/// The libraries that make pictures; they are looked up when the first one is made.
package enum PictureLibrary: Sendable {
    case qrencode, png

    /// Its name, as people know it.
    package var name: String {
        switch self {
        case .qrencode: "libqrencode"
        case .png: "libpng"
        }
    }

    /// The Debian package that brings it.
    package var package: String {
        switch self {
        case .qrencode: "libqrencode4"
        case .png: "libpng16-16"
        }
    }
}

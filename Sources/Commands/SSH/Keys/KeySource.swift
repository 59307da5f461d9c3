internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A file of an import, or stdin.
struct KeySource {
    /// The content of a file in a folder.
    enum Content {
        case key(Secret)
        /// Content that is not a private key; the import only names the file.
        case other(SkippedFile.Reason)
    }

    /// The largest key file that is read, in bytes.
    static let limit = 1 << 20

    /// The path; `-` for stdin.
    let path: String
    /// Whether the file was found in a folder; then it is skipped if it does not hold a private key.
    let isFound: Bool

    /// The sources that the words of the command line name: files, everything in folders, and stdin.
    ///
    /// - Throws: `notReadable` for a folder that cannot be read.
    static func all(_ words: [String]) throws -> [KeySource] {
        var sources: [KeySource] = []
        for word in words {
            guard word != "-", Path.kind(word) == .folder else {
                sources.append(KeySource(path: word, isFound: false))
                continue
            }
            guard let names = Path.listing(of: word) else { throw ConsoleError.notReadable }
            let folder = word.hasSuffix("/") ? String(word.dropLast()) : word
            for name in names where name != "." && name != ".." {
                sources.append(KeySource(path: "\(folder)/\(name)", isFound: true))
            }
        }
        return sources
    }

    /// The file's content, with its text in locked memory.
    func content() throws -> Content {
        guard isFound else {
            // A pipe from the shell, such as `<(…)`, has a writer and will end.
            guard path.hasPrefix("/dev/") || path.hasPrefix("/proc/") || Path.kind(path) != .pipe else {
                throw Failure(
                    .malformedInput,
                    "the file is a named pipe, which may never end",
                    hint: "hsip ssh key import - < PIPE"
                )
            }
            return .key(Secret(try OwnFile.readSecret(path, limit: Self.limit)))
        }
        guard Path.kind(path) == .file else {
            // U+FFFD replaces bytes that are not UTF-8, so the file cannot be found by this name.
            guard !path.contains("\u{FFFD}") else {
                throw Failure(.malformedInput, "the file's name is not UTF-8", hint: "mv FILE NAME")
            }
            return .other(.notAFile)
        }
        do throws(ConsoleError) {
            let text = Secret(try OwnFile.readSecret(path, limit: Self.limit))
            return switch KeyContainer(text) {
            case .openSSH, .pem, .dsa, .putty: .key(text)
            case .publicKey: .other(.publicKey)
            case .other: .other(.noKey)
            }
        } catch {
            if case .tooLarge = error { return .other(.tooLarge) }
            throw error
        }
    }

    /// The preferred name for the key, from the file's name.
    var wish: String? {
        path == "-" ? nil : path.split(separator: "/").last.flatMap { KeyName.made(from: String($0)) }
    }

    /// The public half in the file beside it, for its comment; nil if that file cannot be read.
    var publicKey: PublicKey? { beside(".pub") }

    /// The certificate in the file beside it; nil if the CA's signature on it is not valid.
    var certificate: PublicKey? { badCertificate == nil ? beside("-cert.pub") : nil }

    /// The path of a certificate beside it that cannot be imported, and the reason.
    var badCertificate: (path: String, reason: SSHFormatError)? {
        guard let key = beside("-cert.pub"), key.algorithm.isCertificate else { return nil }
        do throws(SSHFormatError) {
            _ = try Certificate(signed: key)
            return nil
        } catch {
            return (path + "-cert.pub", error)
        }
    }

    private func beside(_ ending: String) -> PublicKey? {
        guard path != "-",
            let bytes = try? OwnFile.readKept(path + ending, limit: Self.limit)
        else { return nil }
        return try? PublicKey(line: bytes)
    }
}

internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A file of an import, or stdin.
struct KeySource {
    /// What a file of a folder holds.
    enum Content {
        case key(Secret)
        /// No private key, so that it is passed over and only named.
        case other(SkippedFile.Reason)
    }

    /// Larger files hold no key.
    static let limit = 1 << 20

    /// The path; `-` for stdin.
    let path: String
    /// Found in a folder, so that it is passed over when it holds no private key.
    let isFound: Bool

    /// What the words of the command line name: files, everything in folders, and stdin.
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

    /// What the file holds, its text in locked memory.
    func content() throws -> Content {
        guard isFound else {
            // A pipe of the shell's, such as `<(…)`, has a writer.
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
            // Text stands in for the bytes of such a name, so that the file cannot be found by it.
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

    /// The name that the key would like.
    var wish: String? {
        path == "-" ? nil : path.split(separator: "/").last.flatMap { KeyName.made(from: String($0)) }
    }

    /// The public half that lies beside it, for its comment; nil when there is none that can be read.
    var publicKey: PublicKey? { beside(".pub") }

    /// The certificate beside it; nil if its CA has not signed it.
    var certificate: PublicKey? { badCertificate == nil ? beside("-cert.pub") : nil }

    /// The certificate that lies beside it and cannot be taken, by the path of its file, and why.
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

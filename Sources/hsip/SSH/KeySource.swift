internal import Console
internal import SSHFormats
internal import VaultCrypto

/// A file of an import, or stdin.
struct KeySource {
    /// Larger files hold no key.
    static let limit = 1 << 20

    /// The path; `-` for stdin.
    let path: String
    /// Found in a folder, so that it is silently passed over when it holds no private key.
    let isFound: Bool

    /// What the words of the command line name: files, all files of folders, and stdin.
    ///
    /// - Throws: `notFound` for a path where nothing is.
    static func all(_ words: [String]) throws -> [KeySource] {
        var sources: [KeySource] = []
        for word in words {
            guard word != "-", Path.isFolder(word) else {
                sources.append(KeySource(path: word, isFound: false))
                continue
            }
            let folder = word.hasSuffix("/") ? String(word.dropLast()) : word
            for name in Path.names(in: folder) where Path.isFile("\(folder)/\(name)") {
                sources.append(KeySource(path: "\(folder)/\(name)", isFound: true))
            }
        }
        return sources
    }

    /// The text, in locked memory; nil for a file of a folder that holds no private key.
    func text() throws -> Secret? {
        do throws(ConsoleError) {
            let text = Secret(try OwnFile.readSecret(path, limit: Self.limit))
            guard isFound else { return text }
            switch KeyContainer(text) {
            case .openSSH, .pem, .putty: return text
            case .publicKey, .other: return nil
            }
        } catch {
            if isFound, case .tooLarge = error { return nil }
            throw error
        }
    }

    /// The name that the key would like.
    var wish: String? {
        path == "-" ? nil : path.split(separator: "/").last.flatMap { KeyName.made(from: String($0)) }
    }

    /// The public half that lies beside it, for its comment; nil when there is none that can be read.
    var publicKey: PublicKey? { beside(".pub") }

    /// The certificate that lies beside it.
    var certificate: PublicKey? { beside("-cert.pub") }

    private func beside(_ ending: String) -> PublicKey? {
        guard path != "-", let bytes = try? OwnFile.read(path + ending, limit: Self.limit) else { return nil }
        return try? PublicKey(line: bytes)
    }
}

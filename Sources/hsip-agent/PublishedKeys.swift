internal import Files
internal import SSHFormats
internal import System

/// The public keys that their owner has published as `.pub` files: what ssh may see while the vault is locked.
enum PublishedKeys {
    /// More is a folder of something else.
    private static let maximum = 1_024
    private static let longest = 16_384

    /// The keys in a folder, in the order of their names; what is no public key, or a certificate that its CA has not
    /// signed, is passed over.
    static func read(_ folder: String) -> [PublicKey] {
        let names = (Folder.names(in: folder) ?? []).filter { $0.hasSuffix(".pub") && !$0.hasPrefix(".") }
        return names.sorted().prefix(maximum).compactMap { name in
            guard let line = try? OwnFile.readKept("\(folder)/\(name)", limit: longest) else { return nil }
            let text = line.last == 0x0A ? Array(line.dropLast()) : line
            guard let key = try? PublicKey(line: text) else { return nil }
            return key.algorithm.isCertificate && (try? Certificate(signed: key)) == nil ? nil : key
        }
    }
}

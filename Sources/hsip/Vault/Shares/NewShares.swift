internal import Commands
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A new recovery secret in shares.
struct NewShares {
    /// How often the last word of a share may be mistyped.
    private static let tries = 3
    private static let wordsInLine = 5

    /// With what the shares have in common.
    let sharing: Sharing
    /// 16 bytes, for the key slot; nothing else keeps them.
    let secret: Secret
    /// The words of each share, ASCII.
    let texts: [Secret]

    init(_ sharing: Sharing, _ entropy: Entropy = .system) throws {
        let bytes = try entropy.secret(RecoveryText.secretSize)
        let shares = try Share.split(
            bytes,
            threshold: sharing.threshold,
            count: sharing.count,
            entropy: entropy
        )
        self.sharing =
            Sharing(
                threshold: sharing.threshold,
                of: sharing.count,
                identifier: shares.first?.header.identifier
            ) ?? sharing
        secret = Secret(bytes)
        texts = try shares.map { Secret(try ShareText.text(of: $0)) }
    }

    /// The file of each share, where one was named: `FILE-1` and so on.
    static func files(_ name: String, _ sharing: Sharing) -> [String] {
        (1...sharing.count).map { "\(name)-\($0)" }
    }

    /// Writes each share to a file of its own; one that cannot be written takes back the others.
    func write(to files: [String], _ context: Context) throws -> [MadeFile] {
        var made: [MadeFile] = []
        do {
            for (index, file) in files.enumerated() {
                let head = try SecretBytes.joined(Array("# \(title(index))\n".utf8), texts[index])
                if let file = try OwnFile.write(try SecretBytes.joined(head, [0x0A]), to: file) {
                    made.append(file)
                }
            }
        } catch {
            made.forEach { $0.remove() }
            throw error
        }
        return made
    }

    /// Shows one share after the other on the terminal; the last word of each is typed back, so that it is written down.
    func show(_ context: Context) throws {
        for index in texts.indices {
            let title = "\(title(index))\n"
            try context.terminal.show(Array(title.utf8), flag: "-o FILE")
            try context.terminal.show(try lines(of: texts[index]), flag: "-o FILE")
            try confirm(index, context)
        }
    }

    private func confirm(_ index: Int, _ context: Context) throws {
        for _ in 0..<Self.tries {
            let typed = try context.terminal.askWords(
                "Write this share on a sheet of its own, then type its last word",
                limit: ShareText.maximumSize,
                flag: "-o FILE"
            ) { ShareText.completion(of: $0) }
            if isLast(typed, of: texts[index]) { return }
            context.output.say("That is not the last word of this share.")
        }
        throw Failure(
            .denied,
            "the share was not confirmed; nothing was made, and what was shown opens nothing"
        )
    }

    /// Whether a word that was typed is the last one; four letters of it do, as everywhere, and capitals count as small.
    private func isLast(_ typed: borrowing SecretBytes, of text: Secret) -> Bool {
        var word: [UInt8] = []
        word.reserveCapacity(typed.count)
        defer { word.wipe() }
        typed.withBytes { bytes in
            for index in 0..<bytes.byteCount where bytes.byte(at: index) > 0x20 {
                word.append(bytes.byte(at: index) | 0x20)
            }
        }
        var missing = ShareText.completion(of: word)
        defer { missing.wipe() }
        var whole = word + missing
        defer { whole.wipe() }
        return text.withBytes { bytes in
            let start = (0..<bytes.byteCount).last { bytes.byte(at: $0) == 0x20 }.map { $0 + 1 } ?? 0
            return ConstantTime.equal(bytes.extracting(start..<bytes.byteCount), whole)
        }
    }

    private func title(_ index: Int) -> String {
        "Share \(index + 1) of \(sharing.count); \(sharing.threshold) of them open the vault"
    }

    /// The words in lines of five, set in by two blanks.
    private func lines(of text: Secret) throws -> SecretBytes {
        var lines = try SecretBuffer(limit: 2 * text.count + 64)
        for byte in "  ".utf8 { try lines.append(byte) }
        var words = 0
        for index in 0..<text.count {
            let byte = text.withBytes { $0.byte(at: index) }
            guard byte == 0x20 else {
                try lines.append(byte)
                continue
            }
            words += 1
            let gap = words.isMultiple(of: Self.wordsInLine) ? "\n  " : " "
            for byte in gap.utf8 { try lines.append(byte) }
        }
        try lines.append(0x0A)
        return try lines.finish()
    }
}

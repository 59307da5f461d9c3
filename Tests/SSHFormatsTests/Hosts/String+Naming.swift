import SSHFormats

extension String {
    /// The text with keys in the place of words that stand for them.
    ///
    /// Only whole words: the base64 of a key holds any two letters now and then.
    func naming(_ keys: [String: PublicKey]) -> String {
        var (text, word) = ("", "")
        for scalar in unicodeScalars {
            guard [" ", "\t", "\r", "\n"].contains(scalar) else {
                word.unicodeScalars.append(scalar)
                continue
            }
            text += Self.named(word, keys)
            text.unicodeScalars.append(scalar)
            word = ""
        }
        return text + Self.named(word, keys)
    }

    private static func named(_ word: String, _ keys: [String: PublicKey]) -> String {
        keys[word].map { String(decoding: $0.typeAndBase64, as: UTF8.self) } ?? word
    }
}

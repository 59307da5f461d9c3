/// The name I use for a contact.
public enum Alias {
    /// The longest alias in bytes of UTF-8.
    public static let longest = 64

    /// Whether an alias is visible text without white space at either end, without control or formatting characters,
    /// and unlike an option or path.
    public static func isValid(_ alias: String) -> Bool {
        guard PeerName.isVisible(alias), alias.utf8.count <= longest, alias.utf8.first != 0x2D else {
            return false
        }
        guard let first = alias.unicodeScalars.first, let last = alias.unicodeScalars.last,
            !first.properties.isWhitespace, !last.properties.isWhitespace
        else { return false }
        return PeerName.isClean(alias)
    }

    /// A suggested alias for a new contact: the sent name in lower case, else the start of the PeerID.
    public static func suggestion(sentName: String, peerID: PeerID) -> String {
        let trimmed = sentName.lowercased().split { $0.isWhitespace }.joined(separator: "-")
        return isValid(trimmed) ? trimmed : "peer-" + peerID.text.prefix(8).lowercased()
    }

    /// An alias that is not in use: the given name, or the name with the lowest free number, such as `alice-2`.
    ///
    /// - Parameters:
    ///   - name: The name to begin with.
    ///   - taken: The aliases of all contacts, including the trash.
    /// - Returns: an alias that is not in `taken`.
    public static func free(like name: String, taken: Set<String>) -> String {
        var (proposal, number) = (name, 1)
        while taken.contains(proposal) {
            number += 1
            proposal = "\(name)-\(number)"
        }
        return proposal
    }
}

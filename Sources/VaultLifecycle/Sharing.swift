package import RecordStore

/// A recovery secret that people hold shares of: what the name of its key slot says.
package struct Sharing: Equatable {
    /// How many shares open the vault.
    package let threshold: Int
    /// How many shares exist.
    package let count: Int
    /// The 15 bits that all its shares have in common; nil where the slot does not say.
    package let identifier: UInt16?

    /// Numbers that a sharing can have; nil for others.
    package init?(threshold: Int, of count: Int, identifier: UInt16? = nil) {
        guard (2...16).contains(count), (2...count).contains(threshold), identifier ?? 0 < 1 << 15 else {
            return nil
        }
        (self.threshold, self.count, self.identifier) = (threshold, count, identifier)
    }

    /// Of a slot that was made for shares; nil for every other one.
    package init?(_ slot: SlotInfo) {
        guard slot.kind == .recovery else { return nil }
        self.init(label: slot.label)
    }

    /// Whether a slot is opened by a recovery code that its owner has, and not by shares that people hold.
    package static func isPaper(_ slot: SlotInfo) -> Bool { slot.kind.isRecovery && Sharing(slot) == nil }

    /// What a name says; nil for every name that no sharing has.
    package init?(label: String) {
        let words = label.split(separator: " ", omittingEmptySubsequences: false)
        guard (4...5).contains(words.count), words[0] == "shares", words[2] == "of",
            let threshold = Int(words[1]), let count = Int(words[3])
        else { return nil }
        let identifier = words.count == 5 ? UInt16(words[4], radix: 16) : nil
        self.init(threshold: threshold, of: count, identifier: identifier)
        guard self.label == label else { return nil }
    }

    /// The name of the slot.
    package var label: String {
        let digits = identifier.map { String($0, radix: 16) }
        let last = digits.map { " " + String(repeating: "0", count: 4 - $0.count) + $0 } ?? ""
        return "shares \(threshold) of \(count)\(last)"
    }
}

/// Which items are read alone.
///
/// GNOME Keyring ends, as if it had crashed, when one answer of it passes 64 MiB (the longest array of D-Bus).
/// The length of a secret is not known before it is read, so long ones carry a mark.
enum LargeItems {
    /// The attribute of items with a long secret; its value is `1`.
    static let mark = "hsip:large"
    /// Secrets above this many bytes are long.
    static let bound = 64 << 10
    /// Longest secret that is handed to a service at all: it and the longest record fit into one answer.
    static let longest = 40 << 20
    /// How many bytes an answer should not pass.
    private static let answer = 32 << 20

    /// The attributes of an item that gets a secret of so many bytes.
    static func mark(_ attributes: [String: String], if count: Int) -> [String: String] {
        count > bound ? attributes.merging([mark: "1"]) { $1 } : attributes
    }

    /// New attributes, and the mark if the old ones had it.
    static func keepMark(of old: [String: String], in new: [String: String]) -> [String: String] {
        old[mark] == nil ? new : new.merging([mark: "1"]) { $1 }
    }

    /// How many items to ask for next: twice as many as last time, as long as items like the longest one so
    /// far would fit; other programs set no marks.
    static func next(after count: Int, longest: Int) -> Int {
        min(count * 2, 512, max(answer / max(longest, 1), 1))
    }
}

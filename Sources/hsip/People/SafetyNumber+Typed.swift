internal import HSIP

extension SafetyNumber {
    /// Whether a person gave 60 digits, and not half of them, or something else.
    static func isWhole(_ typed: String) -> Bool {
        let bare = typed.filter { !$0.isWhitespace && $0 != "-" }
        return bare.utf8.count == 60 && bare.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

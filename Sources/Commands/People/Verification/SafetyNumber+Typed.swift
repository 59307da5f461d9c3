internal import HSIP
internal import Presentation
internal import VaultKit

extension SafetyNumber {
    /// Whether a person gave 60 digits, and not half of them, or something else.
    static func isWhole(_ typed: String) -> Bool {
        let bare = typed.filter { !$0.isWhitespace && $0 != "-" }
        return bare.utf8.count == 60 && bare.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Finds that a number that was given is this one: all that a script can tell.
    ///
    /// - Throws: `malformedInput` for anything but 60 digits; `verifyMismatch` for another number.
    static func check(_ typed: String, isThatOf number: SafetyNumber) throws {
        guard isWhole(typed) else {
            throw Failure(.malformedInput, "a safety number has 60 digits")
        }
        guard number.matches(typed) else { throw VaultError.hsip(.verifyMismatch) }
    }
}

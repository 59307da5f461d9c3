/// The name of a machine: 1 to 40 bytes of UTF-8 in normal form C, by the rules for names that people send
/// (Schemas/hsip-xc1.md section 3).
package enum MachineName {
    private static let refused: [ClosedRange<UInt32>] = [
        0x0000...0x001F, 0x007F...0x009F, 0x061C...0x061C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E,
        0x2060...0x2069, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]

    /// Whether a new machine may get this name: two names never differ only in blanks at an end.
    package static func isUsable(_ name: String) -> Bool {
        isValid(name) && name.first?.isWhitespace == false && name.last?.isWhitespace == false
    }

    /// Whether a machine may have this name.
    package static func isValid(_ name: String) -> Bool {
        guard (1...LogLimits.machineName).contains(name.utf8.count) else { return false }
        return name.isNFC
            && name.unicodeScalars.allSatisfy { scalar in !refused.contains { $0.contains(scalar.value) } }
    }
}

extension String {
    /// Whether it is in Unicode's normal form C, in which equal names have equal bytes.
    var isNFC: Bool {
        var span = utf8Span
        return span.checkForNFC(quickCheck: false)
    }
}

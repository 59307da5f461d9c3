internal import Glibc
internal import VaultCrypto

/// Guesses for runs of neighbouring keys: `qwerty`, `1qaz2wsx`, `asdf`.
enum KeyboardGuess {
    private static let shortest = 3
    /// The keys of an American keyboard, row by row, without and with Shift.
    private static let rows = [
        ("1234567890-=", "!@#$%^&*()_+"), ("qwertyuiop[]", "QWERTYUIOP{}"), ("asdfghjkl;'", "ASDFGHJKL:\""),
        ("zxcvbnm,./", "ZXCVBNM<>?"),
    ]

    /// The guesses for runs from `start` on; the bits count the first key, and the direction of each turn.
    static func all(in text: borrowing RawSpan, from start: Int, to end: Int) -> [Guess] {
        guard let first = keys[text.byte(at: start)] else { return [] }
        var found: [Guess] = []
        var here = first
        var way: Way?
        var turns = 0
        var shifts = first.isShifted ? 1 : 0
        for place in start + 1..<max(end, start + 1) {
            guard let next = keys[text.byte(at: place)] else { break }
            let step = Way(row: next.row - here.row, column: next.column - here.column)
            // Rows are shifted against each other, so a key has two neighbours above and two below.
            guard step.isNeighbour else { break }
            if step != way { turns += 1 }
            if next.isShifted != here.isShifted { shifts += 1 }
            (here, way) = (next, step)
            let length = place - start + 1
            guard length >= shortest else { continue }
            let bits = log2(47) + Double(turns) * log2(6) + log2(Double(length)) + Double(shifts)
            found.append(Guess(length: length, bits: bits))
        }
        return found
    }

    private struct Key {
        let row: Int
        let column: Int
        let isShifted: Bool
    }

    private struct Way: Equatable {
        let row: Int
        let column: Int

        var isNeighbour: Bool {
            switch row {
            case 0: abs(column) == 1
            // Downwards from 2 to q or w: an equal column, or the column before.
            case 1: column == 0 || column == -1
            case -1: column == 0 || column == 1
            default: false
            }
        }
    }

    private static let keys: [UInt8: Key] = {
        var keys: [UInt8: Key] = [:]
        for (row, (plain, shifted)) in rows.enumerated() {
            for (column, key) in plain.utf8.enumerated() {
                keys[key] = Key(row: row, column: column, isShifted: false)
            }
            for (column, key) in shifted.utf8.enumerated() {
                keys[key] = Key(row: row, column: column, isShifted: true)
            }
        }
        return keys
    }()
}

package import HSIP

/// The name of an epoch's keys: the ROTATE and ACCEPT of every rotation since epoch 0, two bytes each.
///
/// Two sides hold the same keys exactly if the names are equal: a key depends on its whole past and on the
/// two one-time keys of each rotation.
package struct KeyName: Hashable, Sendable {
    /// The rotations, the newest in the lowest 16 bits; 0 for epoch 0.
    package let path: UInt64

    /// The keys of epoch 0, which the pairing made.
    package static let first = KeyName(path: 0)
    /// How many rotations a name has room for.
    package static let maximumEpochs = 4

    private init(path: UInt64) { self.path = path }

    /// The keys that a ROTATE and the `copy`-th ACCEPT of it make (0...3).
    package init(_ rotate: RotateName, copy: UInt8) {
        let byte = rotate.author.rawValue << 7 | rotate.attempt << 4 | rotate.copy << 2 | copy
        path = rotate.parent.path << 16 | UInt64(rotate.suite.rawValue) << 8 | UInt64(byte)
    }

    /// The number of the epoch: a suite is at least 1, so no rotation is zero.
    package var epoch: UInt32 { UInt32(4 - path.leadingZeroBitCount / 16) }

    /// Suite 01 came after suite 02 somewhere on the way from epoch 0.
    package func isLowered(from first: Suite) -> Bool {
        let suites = (0..<4).map { path >> (16 * $0 + 8) & 3 }.filter { $0 != 0 } + [UInt64(first.rawValue)]
        return zip(suites, suites.dropFirst()).contains { $0 < $1 }
    }

    /// The ROTATE that made these keys; nil for epoch 0.
    package var rotate: RotateName? {
        guard path != 0, let author = Side(rawValue: UInt8(path >> 7 & 1)) else { return nil }
        return RotateName(
            parent: KeyName(path: path >> 16),
            author: author,
            suite: path >> 8 & 3 == 2 ? .two : .one,
            attempt: UInt8(path >> 4 & 7),
            copy: UInt8(path >> 2 & 3)
        )
    }

    /// Which ACCEPT of that ROTATE.
    package var copy: UInt8 { UInt8(path & 3) }
}

extension KeyName: CustomStringConvertible {
    /// Like `A1.B2`; `0` for epoch 0.
    package var description: String {
        guard let rotate else { return "0" }
        return rotate.description + String(repeating: "*", count: Int(copy))
    }
}

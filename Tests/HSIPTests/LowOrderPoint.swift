import VaultCrypto

/// The points of Curve25519 with which every secret agrees on zero, with and without the unused top bit.
enum LowOrderPoint {
    static let all: [[UInt8]] = points.compactMap { Hex.decode($0) }.flatMap { point in
        var other = point
        other[31] ^= 0x80
        return [point, other]
    }

    private static let points = [
        // 0, 1, two points of order 8, p - 1, p, p + 1
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]
}

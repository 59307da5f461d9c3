/// BLAKE3 of at most one block (64 bytes), 32 bytes of output: all that PeerIDs need.
///
/// Written from the BLAKE3 paper, section 2: such an input is a single chunk of a single block, so its hash
/// is one compression with the flags of a chunk's start, its end and the root.
public enum BLAKE3 {
    /// The longest input: one block.
    public static let longestInput = 64

    private static let start: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
        0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private static let permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
    private static let rounds = 7
    /// CHUNK_START, CHUNK_END and ROOT.
    private static let flags: UInt32 = 1 | 2 | 8

    /// The hash of up to 64 bytes, 32 bytes.
    ///
    /// - Throws: `CryptoError.wrongSize` for a longer input.
    public static func hash(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard input.count <= longestInput else {
            throw .wrongSize(expected: longestInput, found: input.count)
        }
        var message = [UInt32](repeating: 0, count: 16)
        for (offset, byte) in input.enumerated() {
            message[offset / 4] |= UInt32(byte) << (8 * (offset % 4))
        }
        // Chaining value, first half of the constants, counter 0, length, flags.
        var state = start + start[0..<4] + [0, 0, UInt32(input.count), flags]
        for round in 0..<rounds {
            mix(&state, message)
            if round < rounds - 1 {
                message = permutation.map { message[$0] }
            }
        }
        var output: [UInt8] = []
        output.reserveCapacity(32)
        for index in 0..<8 {
            let word = state[index] ^ state[index + 8]
            for shift in stride(from: 0, to: 32, by: 8) {
                output.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return output
    }

    private static func mix(_ state: inout [UInt32], _ m: [UInt32]) {
        quarter(&state, 0, 4, 8, 12, m[0], m[1])
        quarter(&state, 1, 5, 9, 13, m[2], m[3])
        quarter(&state, 2, 6, 10, 14, m[4], m[5])
        quarter(&state, 3, 7, 11, 15, m[6], m[7])
        quarter(&state, 0, 5, 10, 15, m[8], m[9])
        quarter(&state, 1, 6, 11, 12, m[10], m[11])
        quarter(&state, 2, 7, 8, 13, m[12], m[13])
        quarter(&state, 3, 4, 9, 14, m[14], m[15])
    }

    private static func quarter(
        _ s: inout [UInt32],
        _ a: Int,
        _ b: Int,
        _ c: Int,
        _ d: Int,
        _ x: UInt32,
        _ y: UInt32
    ) {
        s[a] = s[a] &+ s[b] &+ x
        s[d] = rotate(s[d] ^ s[a], 16)
        s[c] = s[c] &+ s[d]
        s[b] = rotate(s[b] ^ s[c], 12)
        s[a] = s[a] &+ s[b] &+ y
        s[d] = rotate(s[d] ^ s[a], 8)
        s[c] = s[c] &+ s[d]
        s[b] = rotate(s[b] ^ s[c], 7)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}

internal import VaultCrypto

extension SecretBytes {
    /// The bytes of `first` and then of `second`, in locked memory.
    init(
        joining first: borrowing some ByteSource & ~Copyable,
        _ second: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) {
        var joined = try SecretBytes(count: first.count + second.count)
        joined.withMutableBytes { out in
            var offset = 0
            first.withBytes { offset = out.write($0, at: offset) }
            second.withBytes { offset = out.write($0, at: offset) }
        }
        self = joined
    }
}

extension MutableRawSpan {
    /// Writes all of `source` at `offset` and returns the offset behind it.
    fileprivate mutating func write(_ source: RawSpan, at offset: Int) -> Int {
        for index in 0..<source.byteCount {
            storeBytes(of: source.byte(at: index), toByteOffset: offset + index, as: UInt8.self)
        }
        return offset + source.byteCount
    }
}

import HSIP
import Testing
import VaultCrypto

/// Expects a secret to have these bytes; what it has instead is not printed.
func expect(
    _ secret: borrowing some ByteSource & ~Copyable,
    is expected: [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let isEqual = ConstantTime.equal(secret, expected)
    #expect(isEqual, sourceLocation: sourceLocation)
}

/// The error with which `body` refuses; nil if it does not.
func refusal(_ body: () throws(HSIPError) -> Void) -> HSIPError? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}

import Testing

@testable import Secrets

/// The field that shares are computed in.
struct FieldElementTests {
    private static let all = (UInt8.min...UInt8.max).map(FieldElement.init)

    /// Multiplication as it is taught: shift, add, and divide by the modulus at the end.
    private static func slowProduct(_ left: FieldElement, _ right: FieldElement) -> UInt8 {
        var product = (0..<8).reduce(0) { $0 ^ (right.byte >> $1 & 1 == 1 ? Int(left.byte) << $1 : 0) }
        for bit in (8..<16).reversed() where product >> bit & 1 == 1 { product ^= 0x11B << (bit - 8) }
        return UInt8(product)
    }

    @Test func `every product is the one that long multiplication gives`() {
        for left in Self.all {
            for right in Self.all {
                guard left.multiplied(by: right).byte != Self.slowProduct(left, right) else { continue }
                Issue.record("\(left.byte) by \(right.byte)")
                return
            }
        }
    }

    @Test func `every number but zero has an inverse`() {
        #expect(FieldElement.zero.inverse == .zero)
        for number in Self.all.dropFirst() {
            #expect(number.multiplied(by: number.inverse) == .one, "\(number.byte)")
            #expect(number.adding(number) == .zero)
        }
    }
}

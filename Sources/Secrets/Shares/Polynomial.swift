import VaultCrypto

/// A polynomial for each byte of a secret, given by its values at some places.
struct Polynomial: Sendable {
    /// The values at one place: a share, the secret, or what proves the secret.
    struct Point: Sendable {
        /// The place, which is public.
        let place: UInt8
        let values: Secret
    }

    /// Points at different places with equally many values each; as many as the polynomial has coefficients.
    let points: [Point]

    /// The values at another place, in locked memory.
    ///
    /// - Throws: `ShareError.outOfMemory`.
    func values(at place: UInt8) throws(ShareError) -> SecretBytes {
        do throws(CryptoError) {
            var result = try SecretBytes(count: points.first?.values.count ?? 0)
            for point in points {
                let weight = weight(of: point, at: place)
                result.withMutableBytes { result in
                    point.values.withBytes { values in
                        for index in 0..<result.byteCount {
                            let part = FieldElement(values.byte(at: index)).multiplied(by: weight)
                            let sum = part.adding(FieldElement(result.bytes.byte(at: index)))
                            result.storeBytes(of: sum.byte, toByteOffset: index, as: UInt8.self)
                        }
                    }
                }
            }
            return result
        } catch {
            throw ShareError(error)
        }
    }

    /// What the values of a point count at a place (Lagrange): 1 at its own place and 0 at those of the others.
    private func weight(of point: Point, at place: UInt8) -> FieldElement {
        var weight = FieldElement.one
        for other in points where other.place != point.place {
            let distance = FieldElement(other.place ^ point.place)
            weight = weight.multiplied(by: FieldElement(other.place ^ place))
                .multiplied(by: distance.inverse)
        }
        return weight
    }
}

/// A number of the field with 256 elements that SLIP-0039 computes in: polynomials over two elements, modulo
/// x⁸ + x⁴ + x³ + x + 1.
///
/// There is no table and no branch on a value: the time of a computation says nothing of the numbers in it.
struct FieldElement: Equatable, Sendable {
    /// The coefficients, the highest one in the highest bit.
    let byte: UInt8

    init(_ byte: UInt8) { self.byte = byte }

    static let zero = FieldElement(0)
    static let one = FieldElement(1)

    /// The sum, which is the difference, too.
    func adding(_ other: FieldElement) -> FieldElement { FieldElement(byte ^ other.byte) }

    /// The product.
    func multiplied(by other: FieldElement) -> FieldElement {
        var (product, factor, rest) = (UInt8(0), byte, other.byte)
        for _ in 0..<8 {
            product ^= factor & Self.mask(rest & 1)
            // What leaves at the top comes back as the lower terms of the modulus.
            factor = factor << 1 ^ 0x1B & Self.mask(factor >> 7)
            rest >>= 1
        }
        return FieldElement(product)
    }

    /// The number that gives 1 when it is multiplied by this one; 0 for 0, which has none.
    ///
    /// It is the 254th power, since every number but 0 gives 1 at the 255th.
    var inverse: FieldElement {
        var (power, result) = (self, FieldElement.one)
        for bit in 0..<8 {
            if 254 >> bit & 1 == 1 { result = result.multiplied(by: power) }
            power = power.multiplied(by: power)
        }
        return result
    }

    /// All ones for 1, all zeros for 0.
    private static func mask(_ bit: UInt8) -> UInt8 { 0 &- bit }
}

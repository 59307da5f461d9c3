import VaultCrypto

/// A polynomial for each byte of a secret, defined by its values at several points.
struct Polynomial: Sendable {
    /// The values at one x coordinate: a share, the secret, or the digest that proves the secret.
    struct Point: Sendable {
        /// The x coordinate, which is public.
        let place: UInt8
        let values: Secret
    }

    /// Points with different x coordinates and equally many values; their number is the number of coefficients.
    let points: [Point]

    /// Interpolates the values at another x coordinate, in locked memory.
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

    /// The Lagrange weight of a point at an x coordinate: 1 at its own coordinate, 0 at the coordinates of others.
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

/// An element of the field GF(256) of SLIP-0039: polynomials over GF(2), modulo x⁸ + x⁴ + x³ + x + 1.
///
/// The code uses no tables and no branches on values, so its duration reveals nothing about them.
struct FieldElement: Equatable, Sendable {
    /// The coefficients, the highest one in the highest bit.
    let byte: UInt8

    init(_ byte: UInt8) { self.byte = byte }

    static let zero = FieldElement(0)
    static let one = FieldElement(1)

    /// The sum, which is also the difference.
    func adding(_ other: FieldElement) -> FieldElement { FieldElement(byte ^ other.byte) }

    /// The product.
    func multiplied(by other: FieldElement) -> FieldElement {
        var (product, factor, rest) = (UInt8(0), byte, other.byte)
        for _ in 0..<8 {
            product ^= factor & Self.mask(rest & 1)
            // A bit that leaves at the top comes back as the lower terms of the modulus.
            factor = factor << 1 ^ 0x1B & Self.mask(factor >> 7)
            rest >>= 1
        }
        return FieldElement(product)
    }

    /// The multiplicative inverse; 0 for 0, which has no inverse.
    ///
    /// The inverse is the 254th power, because the 255th power of every element except 0 is 1.
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

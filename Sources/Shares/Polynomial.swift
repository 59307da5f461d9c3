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

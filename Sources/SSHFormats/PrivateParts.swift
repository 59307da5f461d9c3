internal import VaultCrypto

/// What is secret in a private key, in locked memory.
enum PrivateParts: Sendable {
    case ed25519(seed: Secret)
    /// As many bytes as the curve's numbers have.
    case ecdsa(ECDSACurve, scalar: Secret)
    case rsa(RSASecrets)
    /// What a security key needs to be used: flags, handle and what is reserved, as they stand on the wire.
    case handle(Secret)
    /// A type without a meaning here: everything after the check numbers, comment and padding included, because
    /// it is not known where the fields end.
    case opaque(Secret)
}

/// The secret numbers of an RSA key, in their shortest form.
struct RSASecrets: Sendable {
    /// The private exponent.
    let d: Secret
    /// The inverse of q modulo p.
    let iqmp: Secret
    let p: Secret
    let q: Secret
}

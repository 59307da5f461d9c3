package import VaultCrypto

/// A machine's login to etcd for one operation; it is stored in the vault and is never part of a code.
package final class EtcdCredentials {
    /// The CA certificates of the servers, as PEM; nil for the system's authorities.
    let authority: String?
    /// The paths of PEM files: this machine's own certificate and its key.
    package let certificate: String?
    package let key: String?
    /// The etcd user; nil for no login.
    package let user: String?
    /// UTF-8 without control characters.
    package let password: Secret?
    /// The token of the last login; valid for some minutes.
    var token: Secret?

    /// - Throws: `badAddress` for a path or user with control characters, a relative path, a user without a password, and
    ///   an authority without a certificate.
    package init(
        authority: String? = nil,
        certificate: String? = nil,
        key: String? = nil,
        user: String? = nil,
        password: Secret? = nil
    ) throws(CarrierError) {
        let isPrintable = [certificate, key, user].allSatisfy { text in
            text?.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ?? true
        }
        let isAbsolute = [certificate, key].allSatisfy { $0?.hasPrefix("/") ?? true }
        let isSecretClean =
            password?.withBytes { span in
                span.byteCount > 0 && span.byteCount <= 1_024
                    && (0..<span.byteCount).allSatisfy {
                        span.byte(at: $0) >= 0x20 && span.byte(at: $0) != 0x7F
                    }
            } ?? true
        guard isPrintable, isAbsolute, isSecretClean, (user == nil) == (password == nil),
            user.map({ (1...1_024).contains($0.utf8.count) }) ?? true,
            authority?.contains("-----BEGIN CERTIFICATE-----") ?? true
        else { throw .badAddress }
        (self.authority, self.certificate, self.key) = (authority, certificate, key)
        (self.user, self.password) = (user, password)
    }
}

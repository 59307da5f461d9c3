/// A critical option or an extension of a certificate: a name, and data whose form the name decides.
public struct CertificateOption: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The data: mostly one string on the wire, or nothing at all.
    public let data: [UInt8]

    /// The data if it is one string and nothing else, as `force-command` and `source-address` have it.
    public var text: [UInt8]? {
        var reader = WireReader(data)
        guard let text = try? reader.string(), reader.isAtEnd else { return nil }
        return text
    }

    /// Reads options to the end of their bytes; names must be unique and in order (PROTOCOL.certkeys).
    ///
    /// OpenSSH does not check the order, and neither is it checked here.
    static func list(_ bytes: [UInt8]) throws(SSHFormatError) -> [CertificateOption] {
        var reader = WireReader(bytes)
        var options: [CertificateOption] = []
        while !reader.isAtEnd {
            let name = try reader.name(limit: 256)
            options.append(CertificateOption(name: name, data: try reader.string()))
        }
        return options
    }
}

public import VaultCrypto

/// Makes an export file item by item.
///
/// The file grows as ciphertext. Only one slice of plaintext waits in locked memory until it is sealed.
public struct ExportWriter: ~Copyable {
    private let key: Secret
    private var file: [UInt8]
    private var slice: SecretBytes
    private var filled = 0
    private var index: UInt64 = 0
    private var items = 0

    /// Begins a file; the duration is the time of the passphrase's derivation.
    ///
    /// - Parameters:
    ///   - passphrase: UTF-8 in normalisation form C, 1 to 1,024 bytes.
    ///   - parameters: The operations and the memory of the derivation; the header of the file contains them.
    ///   - entropy: Makes the salt.
    /// - Throws: `outOfMemory`.
    public init(
        passphrase: Secret,
        parameters: PasswordHash.Parameters = PasswordHash.standard,
        entropy: Entropy
    ) throws(ExportError) {
        let header = ExportHeader(
            parameters: parameters,
            salt: entropy.bytes(PasswordHash.saltSize)
        )
        let keys = try header.keys(passphrase)
        self.init(key: keys.slices, file: header.open + keys.check, slice: try Self.memory())
    }

    private init(key: Secret, file: [UInt8], slice: consuming SecretBytes) {
        self.key = key
        self.file = file
        self.slice = slice
    }

    private static func memory() throws(ExportError) -> SecretBytes {
        do throws(CryptoError) {
            return try SecretBytes(count: ExportLimits.slice)
        } catch {
            throw ExportError(error)
        }
    }

    /// Adds an item.
    ///
    /// - Throws: `tooLarge` for a name, a content, a number of items or a file over the limits.
    public mutating func add(_ item: ExportItem) throws(ExportError) {
        let name = Array(item.name.utf8)
        guard items < ExportLimits.items, name.count <= ExportLimits.name,
            item.content.count <= ExportLimits.content,
            file.count + item.content.count <= ExportLimits.file - (1 << 20)
        else { throw .tooLarge }
        items += 1
        try append([item.kind.rawValue, UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name)
        let count = UInt32(item.content.count)
        try append(
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
        )
        try append(item.content)
    }

    /// Seals the last slice and returns the whole file.
    public consuming func finish() throws(ExportError) -> [UInt8] {
        try seal(isLast: true)
        return file
    }

    private mutating func append(_ bytes: borrowing some ByteSource & ~Copyable) throws(ExportError) {
        var done = 0
        while done < bytes.count {
            // A full slice is sealed only when more bytes follow, because the last slice is marked.
            if filled == ExportLimits.slice { try seal(isLast: false) }
            let (start, from) = (filled, done)
            let count = min(bytes.count - done, ExportLimits.slice - filled)
            slice.withMutableBytes { target in
                unsafe target.withUnsafeMutableBytes { target in
                    bytes.withBytes { source in
                        unsafe source.extracting(from..<from + count).withUnsafeBytes {
                            unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<start + count])
                                .copyMemory(from: $0)
                        }
                    }
                }
            }
            filled += count
            done += count
        }
    }

    private mutating func seal(isLast: Bool) throws(ExportError) {
        do throws(CryptoError) {
            let sealed = try XChaCha20Poly1305.seal(
                try slice.slice(0..<filled),
                key: key,
                nonce: ExportKeys.nonce(index, isLast: isLast),
                authenticating: [UInt8]()
            )
            file += sealed.ciphertext
            file += sealed.tag
        } catch {
            throw ExportError(error)
        }
        index += 1
        filled = 0
    }
}

public import VaultCrypto

/// Opens an export file as a whole; if any part is invalid, no item is returned.
public enum ExportReader {
    private static let sealedSlice = ExportLimits.slice + XChaCha20Poly1305.tagSize

    /// Whether bytes are the beginning of an export of any version.
    public static func isExport(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: ExportHeader.family)
    }

    /// Decrypts the items of a file, in order; all contents are parts of one block of locked memory.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - passphrase: UTF-8 in normalisation form C.
    /// - Returns: At most `ExportLimits.items` items.
    /// - Throws: `malformed`; `unsupportedVersion`; `wrongPassphrase`; `tampered` for a slice that was removed, changed or
    ///   moved; `tooLarge`; `outOfMemory`.
    public static func items(of file: [UInt8], passphrase: Secret) throws(ExportError) -> [ExportItem] {
        guard file.count <= ExportLimits.file else { throw .tooLarge }
        let (header, check) = try ExportHeader.read(file)
        let keys = try header.keys(passphrase)
        guard ConstantTime.equal(keys.check, check) else { throw .wrongPassphrase }
        return try read(try open(file, keys.slices))
    }

    /// Reads how the key of a file is derived.
    ///
    /// - Throws: `malformed`; `unsupportedVersion`; `tampered` for a file that is too short.
    package static func parameters(of file: [UInt8]) throws(ExportError) -> PasswordHash.Parameters {
        try ExportHeader.read(file).header.parameters
    }

    /// Decrypts all slices into one block of memory.
    ///
    /// - Throws: `tampered`; `outOfMemory`.
    package static func open(_ file: [UInt8], _ key: Secret) throws(ExportError) -> Secret {
        let sealed = file.count - ExportHeader.size
        let slices = max(1, (sealed + sealedSlice - 1) / sealedSlice)
        // All slices except the last are full, and the last has at least its tag.
        let last = sealed - (slices - 1) * sealedSlice
        guard last >= XChaCha20Poly1305.tagSize else { throw .tampered }
        do throws(CryptoError) {
            let count = sealed - slices * XChaCha20Poly1305.tagSize
            return Secret(
                try SecretBytes(count: count) { whole throws(CryptoError) in
                    for index in 0..<slices {
                        let start = ExportHeader.size + index * sealedSlice
                        let end = min(start + sealedSlice, file.count)
                        let place = index * ExportLimits.slice
                        let part = try XChaCha20Poly1305.open(
                            file[start..<end - XChaCha20Poly1305.tagSize],
                            tag: file[end - XChaCha20Poly1305.tagSize..<end],
                            key: key,
                            nonce: ExportKeys.nonce(UInt64(index), isLast: index == slices - 1),
                            authenticating: [UInt8]()
                        )
                        unsafe whole.withUnsafeMutableBytes { target in
                            part.withBytes { source in
                                unsafe source.withUnsafeBytes {
                                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[place...])
                                        .copyMemory(from: $0)
                                }
                            }
                        }
                    }
                }
            )
        } catch {
            throw ExportError(error)
        }
    }

    /// Reads the items of the plaintext; it is authentic, so another program made any part that does not fit.
    ///
    /// - Throws: `malformed`; `unsupportedVersion`; `tooLarge`.
    package static func read(_ plain: Secret) throws(ExportError) -> [ExportItem] {
        var items: [ExportItem] = []
        var place = 0
        while place < plain.count {
            guard items.count < ExportLimits.items else { throw .tooLarge }
            guard plain.count - place >= 3 else { throw .malformed }
            let (kind, nameCount) = plain.withBytes {
                ($0.byte(at: place), Int($0.byte(at: place + 1)) << 8 | Int($0.byte(at: place + 2)))
            }
            place += 3
            guard nameCount <= ExportLimits.name, plain.count - place >= nameCount + 4 else {
                throw .malformed
            }
            let name = plain.withBytes { $0.extracting(place..<place + nameCount).copied() }
            place += nameCount
            let count = plain.withBytes { span in
                (place..<place + 4).reduce(0) { $0 << 8 | Int(span.byte(at: $1)) }
            }
            place += 4
            guard count <= ExportLimits.content, count <= plain.count - place else { throw .malformed }
            guard let kind = ExportItem.Kind(rawValue: kind) else { throw .unsupportedVersion }
            guard let name = String(validating: name, as: UTF8.self) else { throw .malformed }
            do throws(CryptoError) {
                items.append(ExportItem(kind, name, try plain.part(place..<place + count)))
            } catch {
                throw ExportError(error)
            }
            place += count
        }
        return items
    }
}

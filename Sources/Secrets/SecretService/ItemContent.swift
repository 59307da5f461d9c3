package import VaultCrypto

/// The present value of an item and some earlier values, stored as a credential of the kind token.
package struct ItemContent: Sendable {
    /// The most earlier versions that are kept.
    package static let maximumEarlier = Credential.maximumVersions - 1
    /// The most bytes of all earlier versions, 64 KiB, so that a value renewed every hour does not keep many.
    package static let longestEarlier = 64 << 10
    /// Seconds within which a program's next value replaces its last one.
    package static let patience: UInt64 = 600

    private var credential: Credential

    /// Makes the content with its first value.
    ///
    /// - Throws: `ServiceError.valueTooLong`; `badItem` for a time out of range.
    package init(_ value: Secret, at second: UInt64) throws(ServiceError) {
        credential = try Self.caught { () throws(CredentialError) in
            try Credential(.token, [CredentialField(CredentialField.token, value)], at: second)
        }
    }

    /// Reads the bytes that `content` wrote; the values are not copied.
    ///
    /// - Throws: `ServiceError.badItem` for a malformed credential, or a credential of another form; `newerItem`.
    package init(content: Secret) throws(ServiceError) {
        credential = try Self.caught { () throws(CredentialError) in try Credential(content: content) }
        guard credential.kind == .token, credential.tags.isEmpty, credential.origin == nil,
            credential.versions.allSatisfy({ $0.fields.map(\.name) == [CredentialField.token] })
        else { throw .badItem }
    }

    /// The bytes of the record.
    ///
    /// - Throws: `ServiceError.badItem`; `outOfMemory`.
    package func content() throws(ServiceError) -> Secret {
        try Self.caught { () throws(CredentialError) in try credential.content() }
    }

    /// The present value.
    package var value: Secret { credential.current.fields[0].value }

    /// The numbers of the kept versions, the present one last.
    package var numbers: [UInt32] { credential.versions.map(\.number) }

    /// The value of a version; nil if the version is not kept.
    package func value(of number: UInt32) -> Secret? { credential.version(number)?.fields[0].value }

    /// Time of removal to the trash, Unix seconds.
    package var removedAt: UInt64? {
        get { credential.removedAt }
        set { credential.removedAt = newValue }
    }

    /// Expiry, Unix seconds.
    package var expires: UInt64? { credential.expires }

    /// Sets a value; an equal one changes nothing.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - second: now, Unix seconds.
    ///   - isSameWriter: whether the program also wrote the present value.
    /// - Returns: whether a version was added.
    /// - Throws: `ServiceError.valueTooLong`; `badItem`.
    package mutating func set(
        _ value: Secret,
        at second: UInt64,
        isSameWriter: Bool
    ) throws(ServiceError) -> Bool {
        let last = credential.current
        guard !ConstantTime.equal(self.value, value) else { return false }
        var versions = credential.versions
        let age = second.subtractingReportingOverflow(last.created)
        if isSameWriter, !age.overflow, age.partialValue < Self.patience { versions.removeLast() }
        let (number, isOver) = last.number.addingReportingOverflow(1)
        guard !isOver else { throw .badItem }
        var size = 0
        let earlier = versions.reversed().prefix(Self.maximumEarlier).prefix { version in
            size += version.fields[0].value.count
            return size <= Self.longestEarlier
        }
        let before = credential
        credential = try Self.caught { () throws(CredentialError) in
            // Times of versions never decrease, even if the clock was set back.
            let created = max(second, last.created)
            let field = try CredentialField(CredentialField.token, value)
            let next = try CredentialVersion(number: number, created: created, fields: [field])
            var credential = try Credential(.token, versions: earlier.reversed() + [next])
            credential.removedAt = before.removedAt
            try credential.setExpires(before.expires)
            return credential
        }
        return true
    }

    private static func caught<R>(_ act: () throws(CredentialError) -> R) throws(ServiceError) -> R {
        do throws(CredentialError) {
            return try act()
        } catch .valueTooLong(let limit) {
            throw .valueTooLong(limit: limit)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch .unsupportedVersion {
            throw .newerItem
        } catch {
            throw .badItem
        }
    }
}

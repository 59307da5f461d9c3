package import VaultCrypto

/// The values of an item: the one that counts and some before it, as a credential of the type token keeps them.
package struct ItemContent: Sendable {
    /// Versions before the present one that are kept.
    package static let maximumEarlier = Credential.maximumVersions - 1
    /// Bytes in all of those together, 64 KiB: a value that is renewed by the hour does not drag many along.
    package static let longestEarlier = 64 << 10
    /// Seconds within which a program's next value takes the place of its last one.
    package static let patience: UInt64 = 600

    private var credential: Credential

    /// A first value.
    ///
    /// - Throws: `ServiceError.valueTooLong`; `badItem` for a time that cannot be kept.
    package init(_ value: Secret, at second: UInt64) throws(ServiceError) {
        credential = try Self.caught { () throws(CredentialError) in
            try Credential(.token, [CredentialField(CredentialField.token, value)], at: second)
        }
    }

    /// Reads what `content` wrote; the values stay where they are.
    ///
    /// - Throws: `ServiceError.badItem` for what is no credential, or one that no item has; `newerItem`.
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

    /// The value that counts.
    package var value: Secret { credential.current.fields[0].value }

    /// The numbers of the versions that are kept, the one that counts last.
    package var numbers: [UInt32] { credential.versions.map(\.number) }

    /// The value of a version; nil for one that is not kept.
    package func value(of number: UInt32) -> Secret? { credential.version(number)?.fields[0].value }

    /// When it was put into the trash, Unix seconds.
    package var removedAt: UInt64? {
        get { credential.removedAt }
        set { credential.removedAt = newValue }
    }

    /// When it ceases to be of use, Unix seconds.
    package var expires: UInt64? { credential.expires }

    /// Gives it another value; an equal one changes nothing.
    ///
    /// - Parameters:
    ///   - value: the new one.
    ///   - second: now, Unix seconds.
    ///   - isSameWriter: whether the program wrote the present value, too.
    /// - Returns: whether there is a new version.
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
            // A clock that was set back does not turn the history around.
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

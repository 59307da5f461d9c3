package import RecordStore

extension StoreError {
    /// A wrong passphrase or a mistyped recovery code: a person may try again.
    package var isSlip: Bool { self == .wrongSecret || self == .mistyped }
}

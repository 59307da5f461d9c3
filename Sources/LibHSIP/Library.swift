/// Which library this is.
enum Library {
    /// The version, the same as the program's; `hsip_version` hands it out.
    static let version = "0.1.0"
}

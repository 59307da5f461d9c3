internal import CSecretLoader
internal import RecordStore

/// libsecret, loaded when it is first asked for and then kept until the program ends.
///
/// Every function of it and of GLib is called through its table, so the program itself is linked to neither.
enum SecretLibrary {
    /// The file name of every libsecret since 2012.
    static let name = "libsecret-1.so.0"

    /// Loads the library, once.
    ///
    /// - Throws: `noSecretLibrary`.
    static func load(_ library: String = name) throws(StoreError) {
        guard library == name ? isHere : unsafe hsip_secret_load(library) != 0 else {
            throw .noSecretLibrary
        }
    }

    /// The functions; only after `load`.
    static var calls: hsip_secret { unsafe hsip_secret_table().pointee }

    private static let isHere = unsafe hsip_secret_load(name) != 0
}

/// Why a measurement could not be made.
enum BenchmarkError: Error {
    /// SQLite answered with this code.
    case sqlite(Int32)
    /// libsodium refused.
    case sodium
    /// BoringSSL refused a key or a ciphertext of its own.
    case kem
    /// An agent answered with a message of this type.
    case answer(UInt8)
    /// A system call failed with this number.
    case system(Int32)
    /// A program that was measured ended with this status.
    case child(Int32)
    /// The keyring, or libsecret's file, refused.
    case keyring
    /// A record that was written is not there.
    case missingRecord
    /// The process that measures is larger than what it measures.
    case tooLargeToMeasure
    /// Wrong words on the command line.
    case usage
}

internal import HSIP
internal import Programs
internal import VaultCrypto

/// What is to be sealed, looked at before its key is made: the key depends on it.
struct FileContents {
    /// Of the whole file where it can be read twice, else of its first batch.
    let digest: [UInt8]
    /// What was read of a stream, and comes from there no more.
    let beginning: Secret?

    /// Reads a regular file to its end and leaves it where it stands; of a pipe, its first batch.
    init(of input: Descriptor) throws {
        var digest = FileDigest()
        var piece = try SecretBytes(count: FileDigest.pieceSize)
        guard var place = input.place else {
            let count = try input.fill(&piece)
            let beginning = Secret(try piece.slice(0..<count))
            try digest.add(beginning)
            self.digest = try digest.finish(isWhole: count < FileDigest.pieceSize)
            self.beginning = beginning
            return
        }
        while true {
            let count = try input.read(at: place, into: &piece)
            guard count == FileDigest.pieceSize else {
                try digest.add(try piece.slice(0..<count))
                break
            }
            try digest.add(piece)
            place += UInt64(count)
        }
        self.digest = try digest.finish(isWhole: true)
        beginning = nil
    }
}

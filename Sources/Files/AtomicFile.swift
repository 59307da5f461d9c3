internal import CLinux
internal import Glibc

/// A file that gets its name only when it is whole; until then it is beside that name, for its owner alone.
///
/// The end of this value removes a file that has no name yet.
package struct AtomicFile<Failure: FileFailure>: ~Copyable {
    /// Where the file is for now.
    package let draft: String
    package let file: SecureFile<Failure>
    /// What a program may have put beside the draft: endings of names.
    private let companions: [String]

    /// Continues with a file that was just made.
    package init(_ draft: String, _ file: SecureFile<Failure>, companions: [String] = []) {
        (self.draft, self.file, self.companions) = (draft, file, companions)
    }

    /// Begins an empty file of mode 0600 in the folder of `path`, under a name that is not in use.
    package init(beside path: String) throws(Failure) {
        var name = Array("\(path).hsip-XXXXXX".utf8CString)
        let number = unsafe hsip_make_temporary(&name)
        guard number >= 0 else { throw Failure(errno: errno) }
        let made = name.dropLast().map { UInt8(bitPattern: $0) }
        self.init(String(decoding: made, as: UTF8.self), SecureFile(owning: number))
    }

    /// Gives the file its name.
    ///
    /// - Parameters:
    ///   - path: The name, in the folder of the draft.
    ///   - replaces: True to replace a file of that name.
    /// - Throws: the error for `EEXIST` if a file has the name and is not to be replaced; nothing has changed
    ///   then.
    package func place(at path: String, replaces: Bool) throws(Failure) {
        if replaces {
            try Self.rename(draft, path)
        } else if unsafe link(draft, path) == 0 {
            // link(2) refuses an existing name where rename(2) would replace it.
            unsafe unlink(draft)
        } else {
            let code = errno
            guard [EPERM, EOPNOTSUPP, EMLINK].contains(code) else { throw Failure(errno: code) }
            // A file system without hard links (FAT) has a rename that replaces nothing.
            guard unsafe hsip_rename_new(draft, path) == 0 else {
                throw Failure(errno: errno == EEXIST ? EEXIST : code)
            }
        }
    }

    private static func rename(_ draft: String, _ path: String) throws(Failure) {
        guard unsafe Glibc.rename(draft, path) == 0 else { throw Failure(errno: errno) }
    }

    deinit {
        // A file that got its name is not at the draft any more.
        for ending in [""] + companions { unsafe unlink(draft + ending) }
    }
}

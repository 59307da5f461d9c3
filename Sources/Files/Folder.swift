internal import Glibc

/// Folders, and the names in them.
package enum Folder {
    /// What comes before the last slash; the root has itself as parent, a bare name the present folder.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path without links, of something that is there; nil, with `errno`, if it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The names in a folder, without `.` and `..`.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - count: How many names are read; further ones are left out.
    /// - Returns: the names; nil, with `errno`, if the folder cannot be read.
    package static func names(in folder: String, atMost count: Int = .max) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < count, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes an empty folder of mode 0700 under a new name that begins with `start`; nil, with `errno`, on
    /// failure.
    package static func make(_ start: String) -> String? {
        // mkdtemp(3) replaces the six X.
        var name = Array("\(start)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { return nil }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Waits until the names in a folder survive a power cut.
    ///
    /// Some file systems (FUSE, CIFS) have no such call. A name counts as safe there once it is made.
    package static func sync<Failure: FileFailure>(
        _ folder: String,
        or failure: Failure.Type
    ) throws(Failure) {
        do throws(SystemFailure) {
            try SecureFile<SystemFailure>(folder, O_RDONLY | O_DIRECTORY, followsLinks: true).sync()
        } catch {
            guard [EINVAL, EOPNOTSUPP].contains(error.code) else { throw Failure(errno: error.code) }
        }
    }
}

internal import Glibc
package import Presentation
package import Text

/// One step of a `setup` command: it can be shown, done and undone.
package protocol SetupChange {
    /// The path that changes, with every link followed.
    var place: String { get }
    /// What changes, as `diff` shows it and `patch` reads it.
    var diff: [UInt8] { get }
    /// The same for scripts.
    var json: JSONValue { get }

    func apply() throws(Failure)
    func undo() throws(Failure)
}

/// A symbolic link that is made or removed.
package struct LinkChange: SetupChange {
    package let place: String
    /// The path in the link.
    let target: String
    let makes: Bool

    /// A link at a path; `makes` is false where it is to go.
    package init(_ path: String, to target: String, makes: Bool) {
        (place, self.target, self.makes) = (path, target, makes)
    }

    /// Whether the link is there and leads where this one does.
    package var isThere: Bool {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink(place, &bytes, bytes.count - 1)
        return count >= 0 && bytes.prefix(count).map { UInt8(bitPattern: $0) } == Array(target.utf8)
    }

    /// As git writes it, since `diff -u` knows no links.
    package var diff: [UInt8] {
        let old = makes ? "/dev/null" : place
        let new = makes ? place : "/dev/null"
        let text = """
            diff --git a\(place) b\(place)
            \(makes ? "new" : "deleted") file mode 120000
            --- \(old)
            +++ \(new)
            @@ \(makes ? "-0,0 +1" : "-1 +0,0") @@
            \(makes ? "+" : "-")\(target)
            \\ No newline at end of file

            """
        return Array(text.utf8)
    }

    package var json: JSONValue {
        [
            "path": .text(place), "target": .text(target), "action": .text(makes ? "make" : "remove"),
            "diff": .text(String(decoding: diff, as: UTF8.self)),
        ]
    }

    package func undo() throws(Failure) { try LinkChange(place, to: target, makes: !makes).apply() }

    /// Does it; a link that changed meanwhile stays.
    package func apply() throws(Failure) {
        let code = unsafe makes ? symlink(target, place) : isThere ? unlink(place) : -1
        guard code == 0 else {
            throw Failure(
                .conflict,
                "\(place) was changed meanwhile, or cannot be changed",
                hint: "ls -l \(ShellWord.quoted(place))"
            )
        }
    }
}

import Foundation
import Presentation
@testable import Setup
import System
import Testing

@Suite struct TextDiffTests {
    @Test func `lines around the change are shown, and no others`() {
        let old = Array("1\n2\n3\n4\n5\n6\n7\n8\n9\n".utf8)
        let new = Array("1\n2\n3\n4\nfive\n6\n7\n8\n9\n".utf8)
        #expect(
            String(decoding: TextDiff.between(old, and: new, path: "/f"), as: UTF8.self) == """
                --- /f
                +++ /f
                @@ -2,7 +2,7 @@
                 2
                 3
                 4
                -5
                +five
                 6
                 7
                 8

                """
        )
    }

    @Test func `nothing is said where nothing differs`() {
        #expect(TextDiff.between(Array("a\n".utf8), and: Array("a\n".utf8), path: "/f").isEmpty)
        #expect(TextDiff.between(nil, and: nil, path: "/f").isEmpty)
    }

    static let texts: [String?] = [
        nil, "", "a\n", "a", "\n", "a\nb\nc\nd\ne\n", "a\nb\nc\nd\ne", "b\nc\nd\ne\n", "x\na\nb\nc\nd\ne\n",
        "e\nd\nc\nb\na\n",
        "a\na\na\na\n", "a\na\n", "Host *\r\n  User a\r\n",
    ]

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/patch")),
        arguments: texts,
        texts
    )
    func `patch makes the one of the other`(old: String?, new: String?) throws {
        let diff = TextDiff.between(old.map { Array($0.utf8) }, and: new.map { Array($0.utf8) }, path: "/f")
        // A file that comes or goes empty is nothing that the form can say.
        guard !diff.isEmpty, (old ?? "") != (new ?? "") else { return }
        let folder = NSTemporaryDirectory() + "hsip-diff-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let old { try Data(old.utf8).write(to: URL(fileURLWithPath: folder + "/f")) }
        var patch = ChildProcess(path: "/usr/bin/patch")
        patch.arguments = ["-s", "-d", folder, "--binary", "-p1"]
        patch.input = diff
        #expect(try patch.run().status == 0)
        let made = try? Data(contentsOf: URL(fileURLWithPath: folder + "/f"))
        #expect(made.map { String(decoding: $0, as: UTF8.self) } ?? "" == new ?? "")
    }
}

import Testing

@testable import Setup

@Suite struct GitIncludeTests {
    private let include = GitInclude(file: "/home/a/.config/hsip/gitconfig")

    @Test(arguments: ["", "[user]\n\tname = A\n", "[user]\n", "# only a comment\n"])
    func `what is put in is taken out again, byte for byte`(settings: String) throws {
        let bytes = Array(settings.utf8)
        let added = try #require(include.added(to: bytes))
        #expect(include.stands(in: added) && !include.stands(in: bytes))
        #expect(include.removed(from: added) == bytes)
    }

    @Test func `settings without a last line feed get one`() throws {
        let added = try #require(include.added(to: Array("[user]".utf8)))
        #expect(String(decoding: added, as: UTF8.self).hasPrefix("[user]\n[include]\n"))
    }

    @Test func `what was written behind it stays`() throws {
        let added = try #require(include.added(to: Array("[user]\n".utf8))) + Array("[core]\n".utf8)
        #expect(include.removed(from: added) == Array("[user]\n[core]\n".utf8))
    }

    @Test(arguments: [
        "[include]\n\tpath = /other\n", "x[include]\n\tpath = /home/a/.config/hsip/gitconfig\n",
    ])
    func `other lines are not taken out`(settings: String) {
        #expect(include.removed(from: Array(settings.utf8)) == nil)
    }

    @Test(arguments: ["relative", "/a\"b", "/a\nb", "/a\\b", "/a#b", "/a;b"])
    func `a path that says more is refused`(path: String) {
        #expect(GitInclude(file: path).text == nil)
    }
}

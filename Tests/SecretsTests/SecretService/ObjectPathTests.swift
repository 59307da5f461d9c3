import Secrets
import Testing

@Suite struct ObjectPathTests {
    @Test(arguments: ["login", "my-keys", "Größe", "a b", "_", "x_2d", "日本"])
    func `an id comes back from its part of a path`(id: String) {
        let word = PathWord.encode(id)
        #expect(PathWord.decode(word) == id)
        #expect(
            word.utf8.allSatisfy {
                $0 == 0x5F
                    || ($0 < 0x80 && Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0))
            }
        )
    }

    @Test func `a dash is written as GNOME Keyring writes it`() {
        #expect(PathWord.encode("aws-vault") == "aws_2dvault")
    }

    @Test(arguments: ["", "a-b", "_2", "_zz", "_2D", "_61", "_ff", "a/b"])
    func `what no id is written as is none`(word: String) {
        #expect(PathWord.decode(word) == nil)
    }

    @Test(arguments: [
        ObjectPath.service, .collection("login"), .collection("a-b"), .item(collection: "login", id: "00ff"),
        .alias("default"), .aliasItem(alias: "default", id: "7"), .session("s1"), .prompt("p9"),
    ])
    func `every object comes back from its path`(object: ObjectPath) {
        #expect(ObjectPath(object.text) == object)
    }

    @Test(arguments: [
        "", "/", "/org/freedesktop/secret", "/org/freedesktop/secretsx", "/org/freedesktop/secrets/",
        "/org/freedesktop/secrets//login", "/org/freedesktop/secrets/collection",
        "/org/freedesktop/secrets/collection/login/", "/org/freedesktop/secrets/collection/login/..",
        "/org/freedesktop/secrets/collection/login/1/2", "/org/freedesktop/secrets/collection/%2f",
        "/org/freedesktop/secrets/aliases/default/aliases/login", "/org/freedesktop/secrets/session/s1/x",
    ])
    func `any other path is none`(path: String) {
        #expect(ObjectPath(path) == nil)
    }

    @Test func `an alias leads to its collection`() {
        let aliases = ["default": "work"]
        #expect(ObjectPath.alias("default").resolved { aliases[$0] } == .collection("work"))
        #expect(
            ObjectPath.aliasItem(alias: "default", id: "1").resolved { aliases[$0] }
                == .item(collection: "work", id: "1")
        )
        #expect(ObjectPath.alias("other").resolved { aliases[$0] } == nil)
    }
}

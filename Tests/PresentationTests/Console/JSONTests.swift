import Foundation
import Presentation
import System
import Testing
import VaultCrypto

struct JSONTests {
    /// Python's json must find in `text` exactly the code points of `points`.
    private static let check = """
        import json, sys
        found = json.load(sys.stdin.buffer)
        sys.exit([ord(c) for c in found["text"]] != found["points"])
        """

    @Test func `order, nesting and every kind of value are kept`() throws {
        let value: JSONValue = [
            "z": 1, "a": [true, nil, "x", .integer(Int64.min)], "at": .time(1_795_370_640),
            "none": .time(nil as Int64?), "empty": .object([]), "list": [],
            "bytes": .base64([0xFB, 0xFF, 0x01, 0x02]),
        ]
        #expect(
            text(try JSONWriter.bytes(value))
                == #"{"z":1,"a":[true,null,"x",-9223372036854775808],"at":"2026-11-22T18:04:00Z","none":null,"empty":{},"list":[],"bytes":"+/8BAg=="}"#
        )
    }

    @Test(.enabled(if: Fixtures.has("python3"))) func `every character survives another parser`() throws {
        var all = ""
        for value in Array(UInt32(0)...0x2FFF) + [0xFEFF, 0xFFFD, 0x1F512, 0xE0041, 0x10FFFF] {
            if let scalar = Unicode.Scalar(value) { all.unicodeScalars.append(scalar) }
        }
        let json = bytes(try JSONWriter.bytes(.text(all)))
        #expect(!json.contains { $0 < 0x20 || $0 == 0x7F })
        var process = ChildProcess(path: try #require(ChildProcess.find("python3", in: .process)))
        process.arguments = ["-c", Self.check]
        process.environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"]
        let points = all.unicodeScalars.map { JSONValue.integer(Int64($0.value)) }
        process.input = bytes(try JSONWriter.bytes(["text": .text(all), "points": .list(points)]))
        #expect(try process.run().status == 0)
    }

    @Test func `line separators and direction controls are escaped`() throws {
        #expect(
            text(try JSONWriter.bytes("a\u{2028}b\u{2029}c\u{202E}d\u{9B}\"\\\n/"))
                == #""a\u2028b\u2029c\u202ed\u009b\"\\\n/""#
        )
    }

    @Test func `a secret is written like any text`() throws {
        let secret = try Secret(copying: Array("pass\"word\u{7}".utf8))
        #expect(text(try JSONWriter.bytes(.secret(secret))) == #""pass\"word\u0007""#)
        #expect(
            text(try JSONWriter.bytes(.secretBase64(try Secret(copying: [0, 1, 2, 3, 4])))) == #""AAECAwQ=""#
        )
        #expect(text(try JSONWriter.bytes(.secretBase64(try Secret(copying: [])))) == #""""#)
    }

    @Test func `damaged text becomes the replacement character`() throws {
        let secret = try Secret(copying: [0x61, 0xFF, 0x62])
        #expect(!JSONValue.isText(secret))
        #expect(text(try JSONWriter.bytes(.secret(secret))) == "\"a\u{FFFD}b\"")
    }
}

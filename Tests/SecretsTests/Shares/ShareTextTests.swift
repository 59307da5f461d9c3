import Secrets
import Support
import Testing
import VaultCrypto

/// Shares as people write them.
struct ShareTextTests {
    private static let words = Result { try Samples.standard().words }

    private func text() throws -> String { try Samples.text(try Samples.split(2, of: 3)[1]) }

    private func refusal(_ text: String) -> ShareError? { Samples.refusal { try Samples.share(text) } }

    @Test func `a share is twenty words that say which one it is`() throws {
        let share = try Samples.split(3, of: 5)[4]
        let text = try Samples.text(share)
        #expect(text.split(separator: " ").count == ShareText.words)
        let read = try Samples.share(text)
        #expect(read.header == share.header && read.header.member == 4 && read.header.threshold == 3)
        #expect(ConstantTime.equal(read.value, share.value))
    }

    @Test func `capitals, line ends, cut words and remarks change nothing`() throws {
        let text = try text()
        let share = try Samples.share(text)
        let words = text.split(separator: " ")
        let written = [
            text.uppercased(), words.joined(separator: "\r\n\t "), "\n" + text + "\n",
            words.map { $0.prefix(4) }.joined(separator: " "),
            "# Share 2 of 3\n" + words.prefix(9).joined(separator: " ") + "\n  # more\n"
                + words.dropFirst(9).joined(separator: " "),
        ]
        for text in written {
            let read = try Samples.share(text)
            #expect(read.header == share.header && ConstantTime.equal(read.value, share.value), "\(text)")
        }
    }

    @Test func `one to three wrong words are always noticed`() throws {
        let words = try Self.words.get()
        var generator = SeededGenerator(seed: 39)
        let right = try text().split(separator: " ").map(String.init)
        for index in right.indices {
            var wrong = right
            wrong[index] = try #require(words.filter { $0 != right[index] }.randomElement(using: &generator))
            #expect(refusal(wrong.joined(separator: " ")) == .shareWrong(.checksum))
            let other = Int.random(in: 0..<wrong.count, using: &generator)
            wrong[other] = try #require(words.randomElement(using: &generator))
            wrong.swapAt(index, (index + 7) % wrong.count)
            guard wrong != right else { continue }
            #expect(refusal(wrong.joined(separator: " ")) != nil)
        }
        for index in right.indices.dropLast() where right[index] != right[index + 1] {
            var swapped = right
            swapped.swapAt(index, index + 1)
            #expect(refusal(swapped.joined(separator: " ")) == .shareWrong(.checksum))
        }
    }

    @Test func `what is no share is refused with its reason`() throws {
        let words = try text().split(separator: " ").map(String.init)
        #expect(refusal("") == .shareWrong(.wordCount(0)))
        #expect(refusal(words.dropLast().joined(separator: " ")) == .shareWrong(.wordCount(19)))
        #expect(refusal(words.joined(separator: " ") + " acid") != nil)
        #expect(
            refusal(Array(repeating: "acid", count: 60).joined(separator: " ")) == .shareWrong(.wordCount(60))
        )
        #expect(refusal(String(repeating: "a", count: 5_000)) == .shareWrong(.wordCount(60)))
        for bad in ["abcd", "aci", "acidic", "ac1d", "äcid", "a", "academics", "acid,", "{cid"] {
            var wrong = words
            wrong[6] = bad
            #expect(refusal(wrong.joined(separator: " ")) == .shareWrong(.unknownWord(at: 7)), "\(bad)")
        }
    }

    @Test func `a word that is begun with four letters is completed`() throws {
        func completed(_ typed: String) -> String {
            typed + String(decoding: ShareText.completion(of: Array(typed.utf8)), as: UTF8.self)
        }
        for word in try Self.words.get() {
            for count in 4...word.utf8.count { #expect(completed(String(word.prefix(count))) == word) }
            #expect(completed(String(word.prefix(3))) == String(word.prefix(3)))
        }
        #expect(completed("ACAD") == "ACADemic")
        for other in ["", "acide", "zzzz", "ac1d", "academics", "academicacademic", "@cid"] {
            #expect(completed(other) == other)
        }
    }

    @Test func `a word that is not in the list is told with those that may be meant`() {
        func candidates(_ typed: String) -> [String] {
            ShareText.candidates(for: 2, in: Array("acid \(typed) acid".utf8))
        }
        #expect(candidates("acadamic") == ["academic"])
        #expect(candidates("ACADEMICS") == ["academic"])
        #expect(candidates("beat") == ["beam", "best", "heat"] && candidates("carno") == ["cargo"])
        #expect(candidates("acdi") == ["acid"] && candidates("acd") == ["acid"])
        #expect(candidates("axid") == ["acid", "axis"] && candidates("acidd") == ["acid"])
        #expect(candidates("zzzz").isEmpty && candidates("academicacademic").isEmpty)
        #expect(ShareText.candidates(for: 0, in: Array("acid".utf8)).isEmpty)
        #expect(ShareText.candidates(for: 2, in: Array("acid".utf8)).isEmpty)
        #expect(ShareText.candidates(for: 1, in: [UInt8](repeating: 0x61, count: 5_000)).isEmpty)
    }
}

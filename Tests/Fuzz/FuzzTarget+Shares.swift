import Secrets
import VaultCrypto

extension FuzzTarget {
    /// A share as it is typed; one that is read comes back, and is refused with a word in the place of another.
    static func shareText(_ bytes: [UInt8]) -> String? {
        do throws(ShareError) {
            let share = try ShareText.read(bytes)
            guard let written = try? ShareText.text(of: share), let again = try? ShareText.read(written),
                again.header == share.header, ConstantTime.equal(again.value, share.value)
            else { return "another share comes back" }
            return brokenPromise(of: written.withBytes { $0.copied() }, byte: bytes[0])
        } catch .shareWrong(.unknownWord(let place)) {
            let isKnown = place > 0 && ShareText.candidates(for: place, in: bytes).count <= 3
            return isKnown ? nil : "a word nowhere, or too many that may be meant"
        } catch {
            guard case .shareWrong = error else { return "refused as \(error)" }
            return nil
        }
    }

    private static func brokenPromise(of text: [UInt8], byte: UInt8) -> String? {
        var words = text.split(separator: 0x20)
        let place = Int(byte) % words.count
        let other = words[(place + 1) % words.count]
        guard words[place] != other else { return nil }
        words[place] = other
        let isRead = (try? ShareText.read(Array(words.joined(separator: [0x20])))) != nil
        return isRead ? "a wrong word is not noticed" : nil
    }
}

/// The picture that `ssh-keygen -lv` draws of a fingerprint: a worm walks over a field and leaves a trace.
///
/// Pictures that differ are of different keys; pictures that look alike prove nothing.
public enum Randomart {
    private static let width = 17
    private static let height = 9
    /// Signs for places by how often the worm was there; the last two are where it began and ended.
    private static let signs = Array(" .o+=*BOX@%&#/^SE".utf8)

    /// The eleven lines of the picture, with the key's type and size above and the digest's name below.
    public static func lines(of key: PublicKey, _ kind: Fingerprint.Kind = .sha256) -> [String] {
        let digest = Fingerprint(of: key, kind).digest
        let rows = field(digest).map { row in
            "|" + String(decoding: row.map { signs[$0] }, as: UTF8.self) + "|"
        }
        return [border(title(of: key))] + rows + [border("[\(kind.rawValue)]")]
    }

    private static func field(_ digest: [UInt8]) -> [[Int]] {
        var field = [[Int]](repeating: [Int](repeating: 0, count: width), count: height)
        var (x, y) = (width / 2, height / 2)
        for byte in digest {
            for shift in stride(from: UInt8(0), to: 8, by: 2) {
                let move = byte >> shift
                x = min(max(x + (move & 1 == 1 ? 1 : -1), 0), width - 1)
                y = min(max(y + (move & 2 == 2 ? 1 : -1), 0), height - 1)
                field[y][x] = min(field[y][x] + 1, signs.count - 3)
            }
        }
        field[height / 2][width / 2] = signs.count - 2
        field[y][x] = signs.count - 1
        return field
    }

    /// Type and size if they fit into 16 characters, else the type; OpenSSH cuts what is still too long, and does
    /// not notice when it is just one character.
    private static func title(of key: PublicKey) -> String {
        let name = key.algorithm.shortName
        let whole = "[\(name) \(key.bits ?? 0)]"
        return String((whole.count <= width ? whole : "[\(name)]").prefix(width - 1))
    }

    private static func border(_ text: String) -> String {
        let left = (width - text.count) / 2
        let dashes = { String(repeating: "-", count: $0) }
        return "+" + dashes(left) + text + dashes(width - text.count - left) + "+"
    }
}

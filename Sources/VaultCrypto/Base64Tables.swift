/// The alphabet of RFC 4648 section 4, both ways.
enum Base64Tables {
    static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of every byte; 0xFF outside the alphabet.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() {
            values[Int(letter)] = UInt8(value)
        }
        return values
    }()
}

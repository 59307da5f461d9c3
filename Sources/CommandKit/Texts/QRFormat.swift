internal import ArgumentParser
package import Console

/// How a QR code is drawn.
package enum QRFormat: String, ExpressibleByArgument, CaseIterable {
    case png, svg
    /// Half blocks in explicit black on white, for a terminal.
    case ansi
    /// The same in characters of six, for a small window.
    case sextant
    /// Not at all.
    case none

    /// The characters of a picture that is painted on a terminal; nil for the others.
    package var blocks: QRBlocks? {
        switch self {
        case .ansi: .halves
        case .sextant: .sextants
        case .png, .svg, .none: nil
        }
    }
}

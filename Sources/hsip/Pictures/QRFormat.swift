internal import ArgumentParser

/// How a QR code is drawn.
enum QRFormat: String, ExpressibleByArgument, CaseIterable {
    case png, svg
    /// Half blocks in explicit black on white, for a terminal.
    case ansi
    /// Not at all.
    case none
}

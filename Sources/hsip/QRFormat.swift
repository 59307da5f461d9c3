internal import ArgumentParser

/// How a code is drawn.
enum QRFormat: String, CaseIterable, ExpressibleByArgument {
    case png, svg, ansi
    /// Not at all.
    case nothing = "none"
}

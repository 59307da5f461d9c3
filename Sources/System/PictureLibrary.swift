/// The libraries that make pictures; they are looked up when the first one is made.
package enum PictureLibrary: Sendable {
    case qrencode, png

    /// Its name, as people know it.
    package var name: String {
        switch self {
        case .qrencode: "libqrencode"
        case .png: "libpng"
        }
    }

    /// The Debian package that brings it.
    package var package: String {
        switch self {
        case .qrencode: "libqrencode4"
        case .png: "libpng16-16"
        }
    }
}

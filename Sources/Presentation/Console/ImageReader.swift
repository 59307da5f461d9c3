package import System
package import VaultCrypto

/// Reads QR codes from pictures and from the camera, by the programs of zbar.
package struct ImageReader: Sendable {
    /// No phone makes a larger screenshot.
    package static let limit = 16 << 20
    /// For a picture; a large one takes a second.
    private static let seconds = 20
    /// For the camera: a person has to hold a phone before it.
    private static let cameraSeconds = 120

    /// Only QR codes: a bar code on the wall behind is not for us.
    private static let common = ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable"]

    private let environment: Environment

    package init(environment: Environment = .process) {
        self.environment = environment
    }

    /// True for the first bytes of a PNG or JPEG picture.
    package static func isImage(_ bytes: [UInt8]) -> Bool {
        format(bytes) != nil
    }

    /// The texts of all QR codes in a picture, in the order found.
    ///
    /// The picture goes in by stdin with its format said, so that neither a file name nor the contents can
    /// choose another decoder.
    ///
    /// - Throws: `notAnImage`, `noCodeInImage`, `missingProgram`, `programFailed`, `timedOut`.
    package func codes(in image: [UInt8]) throws(ConsoleError) -> [String] {
        try Self.lines(try output(of: image))
    }

    /// The same for codes that are secret, in locked memory; what came from the reader is wiped.
    package func secrets(in image: [UInt8]) throws(ConsoleError) -> [Secret] {
        var output = try output(of: image)
        defer { output.wipe() }
        var secrets: [Secret] = []
        for line in output.split(separator: 0x0A) {
            guard let secret = try? Secret(copying: line) else { throw .outOfMemory }
            secrets.append(secret)
        }
        guard !secrets.isEmpty else { throw .noCodeInImage }
        return secrets
    }

    private func output(of image: [UInt8]) throws(ConsoleError) -> [UInt8] {
        guard image.count <= Self.limit else { throw .tooLarge(limit: Self.limit) }
        guard let format = Self.format(image) else { throw .notAnImage }
        var process = try HelperRunner(environment: environment).process(
            .zbarimg,
            Self.common + ["\(format):-"]
        )
        process.input = image
        process.seconds = Self.seconds
        let (status, output) = try process.run()
        switch status {
        case 0: return output
        case 4: throw .noCodeInImage
        case 1: throw .notAnImage
        default: throw .programFailed(.zbarimg, status: status)
        }
    }

    /// The text of the first QR code that the camera sees; a window shows what it sees.
    ///
    /// - Throws: `refused` when the window was closed, `missingProgram`, `programFailed`, `timedOut`.
    package func codeFromCamera() throws(ConsoleError) -> String {
        guard let code = try Self.lines(try outputOfCamera()).first else { throw .refused }
        return code
    }

    /// The same for a code that is secret, in locked memory; what came from the reader is wiped.
    package func secretFromCamera() throws(ConsoleError) -> Secret {
        var output = try outputOfCamera()
        defer { output.wipe() }
        guard let line = output.split(separator: 0x0A).first else { throw .refused }
        guard let secret = try? Secret(copying: line) else { throw .outOfMemory }
        return secret
    }

    private func outputOfCamera() throws(ConsoleError) -> [UInt8] {
        var process = try HelperRunner(environment: environment).process(
            .zbarcam,
            Self.common + ["--oneshot"],
            needsDisplay: true
        )
        process.seconds = Self.cameraSeconds
        let (status, output) = try process.run()
        guard status == 0 else { throw .programFailed(.zbarcam, status: status) }
        return output
    }

    private static func format(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
        return nil
    }

    private static func lines(_ output: [UInt8]) throws(ConsoleError) -> [String] {
        var codes: [String] = []
        for line in output.split(separator: 0x0A) {
            guard let text = String(validating: line, as: UTF8.self) else { throw .notText }
            codes.append(text)
        }
        guard !codes.isEmpty else { throw .noCodeInImage }
        return codes
    }
}

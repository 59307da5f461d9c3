package import System
package import VaultCrypto

/// Reads QR codes from pictures and from the camera, with the programs of zbar.
package struct ImageReader: Sendable {
    /// The size of the largest picture in bytes: larger than any screenshot of a phone.
    package static let limit = 16 << 20
    /// The time limit for a picture; a large one needs a second.
    private static let seconds = 20
    /// The time limit for the camera, in front of which a person has to hold a phone.
    private static let cameraSeconds = 120

    /// Reads QR codes only, so that a bar code in the background is ignored.
    private static let common = ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable"]

    private let environment: Environment

    package init(environment: Environment = .process) {
        self.environment = environment
    }

    /// Whether the bytes begin like a PNG or JPEG picture.
    package static func isImage(_ bytes: [UInt8]) -> Bool {
        format(bytes) != nil
    }

    /// Returns the texts of all QR codes in a picture, in the order in which they were found.
    ///
    /// The picture is passed over stdin with an explicit format, so that neither a file name nor the content can
    /// select another decoder.
    ///
    /// - Throws: `notAnImage`, `noCodeInImage`, `missingProgram`, `programFailed`, `timedOut`.
    package func codes(in image: [UInt8]) throws(ConsoleError) -> [String] {
        try Self.lines(try output(of: image))
    }

    /// Returns secret codes in locked memory; the output of the reader is wiped.
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

    /// Returns the text of the first QR code before the camera; a window shows the camera's picture.
    ///
    /// - Throws: `refused` if the window was closed, `missingProgram`, `programFailed`, `timedOut`.
    package func codeFromCamera() throws(ConsoleError) -> String {
        guard let code = try Self.lines(try outputOfCamera()).first else { throw .refused }
        return code
    }

    /// Returns a secret code in locked memory; the output of the reader is wiped.
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

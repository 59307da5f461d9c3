internal import Presentation
internal import Text
internal import VaultCrypto

/// One page for paper: a recovery code, as text and as a QR code, and what to do with it on a new machine.
///
/// It names no passphrase, no user and no path, unless the path was asked for.
struct EmergencyKit {
    private static let margin = 60
    /// Columns of a path on one line.
    private static let columns = 76

    /// What the vault is called; nil where it was given as a path.
    let vault: String?
    /// 16 bytes, of which the page shows four.
    let vaultID: [UInt8]
    /// When it is made, Unix seconds.
    let made: Int64
    /// Where the vault lies on this machine; nil where the page does not say so.
    let place: String?
    let paper: PDFPage.Paper

    /// The page as a PDF file.
    ///
    /// - Parameter code: The text of the recovery code, in seven groups.
    /// - Returns: The whole file.
    /// - Throws: `outOfMemory`; `missingLibrary` without libqrencode.
    func file(_ code: Secret) throws -> SecretBytes {
        var page = PDFPage(paper)
        var picture = try QRCode(secret: code, correction: .medium)
        defer { picture.wipe() }
        let top = paper.height
        page.write("Emergency kit of an HSIP vault", .bold, 22, x: Self.margin, y: top - 80)
        page.write(
            "Keep this page like a passport. It opens the vault when the passphrase or the machine is lost.",
            .plain,
            11,
            x: Self.margin,
            y: top - 104
        )
        addFacts(to: &page)
        page.write("Recovery code", .bold, 12, x: Self.margin, y: top - 232)
        // Seven groups of four: four on the first line, with the hyphen after them.
        page.write(try code.part(0..<20), .code, 20, x: Self.margin, y: top - 260)
        page.write(try code.part(20..<code.count), .code, 20, x: Self.margin, y: top - 286)
        try page.draw(picture, module: 6, x: paper.width - Self.margin - picture.size * 6, y: top - 150)
        addSteps(to: &page)
        return try page.file()
    }

    private func addFacts(to page: inout PDFPage) {
        var facts = [("Id", Hex.encode(Array(vaultID.prefix(4)))), ("Made", Times.date(made))]
        if let vault, PDFPage.canShow(vault) { facts.insert(("Vault", vault), at: 0) }
        var y = paper.height - 150
        for (title, value) in facts {
            page.write(title, .bold, 11, x: Self.margin, y: y)
            page.write(String(value.prefix(36)), .plain, 11, x: Self.margin + 60, y: y)
            y -= 18
        }
        guard let place, PDFPage.canShow(place), place.count <= 2 * Self.columns else { return }
        y = paper.height - 318
        page.write("File", .bold, 11, x: Self.margin, y: y)
        for part in [place.prefix(Self.columns), place.dropFirst(Self.columns)] where !part.isEmpty {
            page.write(String(part), .plain, 11, x: Self.margin + 60, y: y)
            y -= 14
        }
    }

    private func addSteps(to page: inout PDFPage) {
        var y = paper.height - 366
        page.write("On a new machine", .bold, 12, x: Self.margin, y: y)
        for (text, font) in Self.steps {
            y -= 20
            page.write(text, font, font == .code ? 10 : 11, x: Self.margin + (font == .code ? 16 : 0), y: y)
        }
        y -= 34
        for text in Self.notes {
            page.write(text, .plain, 11, x: Self.margin, y: y)
            y -= 16
        }
        for title in ["Backups are kept at", "Copies of this page"] {
            y -= 22
            page.write(title, .plain, 11, x: Self.margin, y: y)
            page.rule(from: Self.margin + 120, to: paper.width - Self.margin, y: y - 2)
        }
    }

    private static let steps: [(String, PDFPage.Font)] = [
        ("1.  Install HSIP Vault on a machine that you trust.", .plain),
        ("2.  Fetch a backup of the vault from the place below.", .plain),
        ("3.  Put it in its place, and type the code above:", .plain),
        ("hsip vault restore BACKUP", .code),
        ("4.  Choose a new passphrase, and see what is to be renewed:", .plain),
        ("hsip vault slot add passphrase", .code),
        ("hsip status", .code),
    ]

    private static let notes = [
        "The code alone opens nothing: it needs the vault's file or a backup. A person with both has everything.",
        "Find out today whether this page can be read:  hsip vault slot test recovery",
    ]
}

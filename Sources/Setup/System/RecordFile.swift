internal import Presentation
internal import System
internal import Text
internal import VaultLifecycle

/// A small file beside the anchors in which a `setup` command remembers what it did, for its undoing.
struct RecordFile {
    let path: String
    /// What a person does about a file that is not what was written.
    let hint: String

    /// What is remembered; nil where there is no file.
    ///
    /// - Parameter parse: nil for anything that was not written by this program.
    /// - Returns: what `parse` makes of the file.
    /// - Throws: `malformedInput` for a file that is not what was written.
    func read<Record>(_ parse: (JSONValue) -> Record?) throws(Failure) -> Record? {
        let bytes: [UInt8]
        do {
            bytes = try OwnFile.readKept(path)
        } catch .noSuchFile {
            return nil
        } catch .unsafeFile {
            throw refusal
        } catch {
            throw Failure(error)
        }
        guard let json = try? JSONValue(bytes), let record = parse(json) else {
            throw refusal
        }
        return record
    }

    private var refusal: Failure { Failure(.malformedInput, "\(path) is not hsip's file", hint: hint) }

    /// Puts it in the place of what is there, whole.
    func write(_ json: JSONValue) throws(Failure) {
        guard let text = try? json.bytes(.pages) else { return }
        do {
            try OwnFile.writeKept(text, to: path)
        } catch {
            throw Failure(error)
        }
    }
}

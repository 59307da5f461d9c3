package import Presentation
package import RecordStore
internal import Text
package import VaultKit

/// The texts about records that cannot be read.
package enum DamageTexts {
    /// The warning about a damaged record that a command leaves out.
    package static func warning(_ record: DamagedRecord, _ consequence: String) -> Warning {
        let what = record.words
        let message =
            switch record.part {
            case .meta, .body: "\(what) is damaged and cannot be read; \(consequence)"
            case .recordSet where record.name == nil:
                "records are missing, or old records were put back\(record.lane.map { " (lane \($0))" } ?? "")"
            case .recordSet:
                "\(what) may be an old version, because records beside it are damaged; \(consequence)"
            }
        return Warning(
            "damagedRecord",
            message,
            hint: "hsip vault repair -o NEW",
            fields: StoreDetails.damaged(record)
        )
    }
}

extension Context {
    /// Warns which records of the vault cannot be read.
    package func tellDamage(_ vault: any VaultService) async throws {
        // Commands that need the identity report its damage themselves.
        for record in try await vault(Operations.damagedRecords) where record.kind != "hsip.identity" {
            output.warn(DamageTexts.warning(record, "the list leaves it out"))
        }
    }

    /// Lets a list that lacks damaged records end with exit code 11, and names those records.
    ///
    /// Otherwise a script, or a person without warnings, would think that the list is complete.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - kinds: The kinds of records in the list. Each list names the records of unknown kind.
    /// - Throws: the vault's errors.
    package func endShort(_ vault: any VaultService, of kinds: Set<String>) async throws {
        let damaged = try await vault(Operations.damagedRecords)
            .filter { record in record.kind.map { kinds.contains($0) } ?? true }
        endDamaged(damaged, "the list leaves it out") { "the list is not complete: the vault has \($0)" }
    }

    /// Lets a command end with exit code 11 if records cannot be read, whether its data were written or are still to come.
    package func endDamaged(
        _ records: [DamagedRecord],
        _ consequence: String,
        _ message: (String) -> String
    ) {
        do throws(Failure) {
            try refuse(records, consequence, message)
        } catch {
            exitStatus = isJSON ? error.exitCode : output.fail(error)
        }
    }

    /// Fails with exit code 11 if `records`, which cannot be read, are not empty; warns of each of them.
    ///
    /// `message` gets the number of records as words, and returns the text of the failure.
    package func refuse(
        _ records: [DamagedRecord],
        _ consequence: String,
        _ message: (String) -> String
    ) throws(Failure) {
        guard let first = records.first else { return }
        for record in records { output.warn(DamageTexts.warning(record, consequence)) }
        let count = records.count == 1 ? "1 damaged record" : "\(records.count) damaged records"
        var failure = Failure(StoreError.tampered(first.tampered))
        failure.message = message(count)
        failure.details = StoreDetails.damaged(first)
        throw failure
    }
}

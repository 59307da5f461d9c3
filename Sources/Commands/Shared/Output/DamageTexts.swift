package import Presentation
package import RecordStore
internal import Text
package import VaultKit

/// The words for records that cannot be read.
package enum DamageTexts {
    /// What is said of a record that something goes on without.
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
    /// Says which records of the vault cannot be read.
    package func tellDamage(_ vault: any VaultService) async throws {
        // Of the identity those tell who depend on it.
        for record in try await vault(Operations.damagedRecords) where record.kind != "hsip.identity" {
            output.warn(DamageTexts.warning(record, "the list leaves it out"))
        }
    }

    /// Lets a list that is short of records end with 11, and says which those are: without the number a script would take
    /// it for whole, and so would a person who wants no warnings.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - kinds: What is in the list. Each list names the records of unknown kind.
    /// - Throws: what the vault answers.
    package func endShort(_ vault: any VaultService, of kinds: Set<String>) async throws {
        let damaged = try await vault(Operations.damagedRecords)
            .filter { record in record.kind.map { kinds.contains($0) } ?? true }
        endDamaged(damaged, "the list leaves it out") { "the list is not complete: the vault has \($0)" }
    }

    /// Lets a command whose data are still to come, or were written, end with 11 where records cannot be read.
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

    /// Ends with 11 after something was made without records, or with records, that cannot be read.
    ///
    /// `message` says what was made, with how many. Without such records this does nothing; else it warns of
    /// each and throws.
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

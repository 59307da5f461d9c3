internal import CSecretLoader
internal import RecordStore
internal import VaultCrypto

extension Link {
    func create(
        _ draft: ItemDraft,
        in collection: String,
        _ waiting: Waiting
    ) throws(StoreError) -> ItemPath {
        let value = unsafe try Self.value(draft.secret, draft.contentType)
        defer { unsafe SecretLibrary.calls.secret_value_unref(UnsafeMutableRawPointer(value)) }
        let attributes = LargeItems.mark(draft.attributes, if: draft.secret.count)
        let properties = unsafe Texts.withTable(attributes) { table in
            unsafe hsip_secret_properties(Texts.plain(draft.label), table)
        }
        defer { unsafe SecretLibrary.calls.g_hash_table_unref(properties) }
        let path = unsafe try GLibFailure.check { error in
            unsafe SecretLibrary.calls.secret_service_create_item_dbus_path_sync(
                service,
                collection,
                properties,
                value,
                SECRET_ITEM_CREATE_NONE,
                waiting.pointer,
                error
            )
        }
        // No path and no error: a prompt was shown and dismissed.
        guard unsafe path != nil else { throw .promptDismissed }
        return unsafe Texts.take(path)
    }

    func setSecret(_ secret: Secret, of path: ItemPath, _ waiting: Waiting) throws(StoreError) {
        let value = unsafe try Self.value(secret)
        defer { unsafe SecretLibrary.calls.secret_value_unref(UnsafeMutableRawPointer(value)) }
        unsafe try withItem(path, waiting) { item throws(StoreError) in
            let present = unsafe Texts.take(SecretLibrary.calls.secret_item_get_attributes(item))
            let marked = LargeItems.mark(present, if: secret.count)
            if marked != present { try unsafe set(marked, of: item, waiting) }
            _ = unsafe try GLibFailure.check { error in
                unsafe SecretLibrary.calls.secret_item_set_secret_sync(item, value, waiting.pointer, error)
            }
        }
    }

    func describe(
        _ path: ItemPath,
        label: String,
        attributes: [String: String],
        _ waiting: Waiting
    ) throws(StoreError) {
        unsafe try withItem(path, waiting) { item throws(StoreError) in
            let calls = SecretLibrary.calls
            _ = unsafe try GLibFailure.check { error in
                unsafe calls.secret_item_set_label_sync(item, Texts.plain(label), waiting.pointer, error)
            }
            let present = unsafe Texts.take(calls.secret_item_get_attributes(item))
            try unsafe set(LargeItems.keepMark(of: present, in: attributes), of: item, waiting)
        }
    }

    private func set(
        _ attributes: [String: String],
        of item: ItemProxy,
        _ waiting: Waiting
    ) throws(StoreError) {
        unsafe try Texts.withTable(attributes) { table throws(StoreError) in
            _ = unsafe try GLibFailure.check { error in
                unsafe SecretLibrary.calls.secret_item_set_attributes_sync(
                    item,
                    nil,
                    table,
                    waiting.pointer,
                    error
                )
            }
        }
    }

    func delete(_ path: ItemPath, _ waiting: Waiting) throws(StoreError) {
        let isDone = unsafe try GLibFailure.check { error in
            unsafe SecretLibrary.calls.secret_service_delete_item_dbus_path_sync(
                service,
                path,
                waiting.pointer,
                error
            )
        }
        guard isDone != 0 else { throw .promptDismissed }
    }

    /// Passes a proxy of one item to `body`, as it is now.
    private func withItem<R>(
        _ path: ItemPath,
        _ waiting: Waiting,
        _ body: (ItemProxy) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let item = unsafe try look(at: path, waiting)
        defer { unsafe SecretLibrary.calls.g_object_unref(item) }
        return try unsafe body(item)
    }

    private func look(at path: ItemPath, _ waiting: Waiting) throws(StoreError) -> ItemProxy {
        do throws(StoreError) {
            let item = unsafe try GLibFailure.check { error in
                unsafe hsip_secret_item(service, path, waiting.pointer, error)
            }
            if let item = unsafe item { return unsafe item }
        } catch {
            throw error == .notFound ? missing : error
        }
        throw missing
    }

    /// A copy of a secret in libsecret's locked memory.
    private static func value(_ secret: Secret, _ contentType: String? = nil) throws(StoreError)
        -> OpaquePointer
    {
        guard secret.count <= LargeItems.longest else { throw .invalidRecord(.body) }
        let value = unsafe secret.withBytes { span in
            unsafe span.withUnsafeBytes { bytes in
                let text = unsafe bytes.bindMemory(to: UInt8.self)
                let isText = unsafe (try? UTF8Span(validating: text.span)) != nil
                return unsafe SecretLibrary.calls.secret_value_new(
                    text.withMemoryRebound(to: CChar.self) { $0.baseAddress },
                    gssize(bytes.count),
                    contentType ?? (isText ? "text/plain" : "application/octet-stream")
                )
            }
        }
        guard let value = unsafe value else { throw .outOfMemory }
        return unsafe value
    }
}

// libsecret, and the parts of GLib that it is used with, looked up when they are first needed: a program that
// does not use the desktop's keyring pays nothing for it, and a machine without libsecret still runs it.
#ifndef HSIP_CSECRET_LOADER_H
#define HSIP_CSECRET_LOADER_H

#include "../../CSecret/CSecret.h"

#define HSIP_SECRET_FUNCTIONS(EACH) \
    EACH(g_async_initable_new_async) \
    EACH(g_async_initable_new_finish) \
    EACH(g_async_result_is_tagged) \
    EACH(g_bus_unwatch_name) \
    EACH(g_bus_watch_name_on_connection) \
    EACH(g_cancellable_cancel) \
    EACH(g_cancellable_new) \
    EACH(g_cancellable_source_new) \
    EACH(g_dbus_connection_call_sync) \
    EACH(g_dbus_connection_close) \
    EACH(g_dbus_connection_get_unique_name) \
    EACH(g_dbus_connection_is_closed) \
    EACH(g_dbus_connection_new_for_address_sync) \
    EACH(g_dbus_connection_signal_subscribe) \
    EACH(g_dbus_connection_signal_unsubscribe) \
    EACH(g_dbus_error_quark) \
    EACH(g_dbus_proxy_call) \
    EACH(g_dbus_proxy_call_finish) \
    EACH(g_dbus_proxy_get_cached_property) \
    EACH(g_dbus_proxy_get_connection) \
    EACH(g_dbus_proxy_get_name_owner) \
    EACH(g_dbus_proxy_get_object_path) \
    EACH(g_dbus_proxy_new_sync) \
    EACH(g_error_free) \
    EACH(g_free) \
    EACH(g_hash_table_insert) \
    EACH(g_hash_table_iter_init) \
    EACH(g_hash_table_iter_next) \
    EACH(g_hash_table_new_full) \
    EACH(g_hash_table_unref) \
    EACH(g_initable_new) \
    EACH(g_io_error_quark) \
    EACH(g_main_context_get_thread_default) \
    EACH(g_main_context_iteration) \
    EACH(g_main_context_new) \
    EACH(g_main_context_pop_thread_default) \
    EACH(g_main_context_push_thread_default) \
    EACH(g_main_context_unref) \
    EACH(g_malloc0) \
    EACH(g_object_ref) \
    EACH(g_object_set) \
    EACH(g_object_unref) \
    EACH(g_propagate_error) \
    EACH(g_quark_from_static_string) \
    EACH(g_source_attach) \
    EACH(g_source_destroy) \
    EACH(g_source_set_callback) \
    EACH(g_source_unref) \
    EACH(g_str_equal) \
    EACH(g_str_hash) \
    EACH(g_strdup) \
    EACH(g_strfreev) \
    EACH(g_task_new) \
    EACH(g_task_propagate_pointer) \
    EACH(g_task_return_error) \
    EACH(g_task_return_new_error) \
    EACH(g_task_return_pointer) \
    EACH(g_task_set_source_tag) \
    EACH(g_type_class_peek_parent) \
    EACH(g_type_register_static_simple) \
    EACH(g_variant_get) \
    EACH(g_variant_get_child_value) \
    EACH(g_variant_get_objv) \
    EACH(g_variant_is_of_type) \
    EACH(g_variant_lookup_value) \
    EACH(g_variant_new) \
    EACH(g_variant_new_array) \
    EACH(g_variant_new_dict_entry) \
    EACH(g_variant_new_string) \
    EACH(g_variant_ref_sink) \
    EACH(g_variant_type_copy) \
    EACH(g_variant_type_free) \
    EACH(g_variant_unref) \
    EACH(secret_collection_get_label) \
    EACH(secret_collection_get_locked) \
    EACH(secret_collection_get_type) \
    EACH(secret_error_get_quark) \
    EACH(secret_item_get_attributes) \
    EACH(secret_item_get_created) \
    EACH(secret_item_get_label) \
    EACH(secret_item_get_modified) \
    EACH(secret_item_get_type) \
    EACH(secret_item_set_attributes_sync) \
    EACH(secret_item_set_label_sync) \
    EACH(secret_item_set_secret_sync) \
    EACH(secret_service_create_collection_dbus_path_sync) \
    EACH(secret_service_create_item_dbus_path_sync) \
    EACH(secret_service_delete_item_dbus_path_sync) \
    EACH(secret_service_get_secrets_for_dbus_paths_sync) \
    EACH(secret_service_get_type) \
    EACH(secret_service_read_alias_dbus_path_sync) \
    EACH(secret_service_search_for_dbus_paths_sync) \
    EACH(secret_service_unlock_dbus_paths_sync) \
    EACH(secret_value_get) \
    EACH(secret_value_get_content_type) \
    EACH(secret_value_new) \
    EACH(secret_value_unref)

/// Every function of libsecret and GLib that is used, with the type that its own header gives it.
struct hsip_secret {
#define HSIP_SECRET_MEMBER(name) __typeof__(&name) _Nonnull name;
    HSIP_SECRET_FUNCTIONS(HSIP_SECRET_MEMBER)
#undef HSIP_SECRET_MEMBER
};

/// Loads a library and fills the table; 0 when it is not there, or lacks a function. Never unloaded, since
/// GLib's types cannot be. Calls must not overlap.
int hsip_secret_load(const char *_Nonnull library);

/// The table, once a library was loaded.
const struct hsip_secret *_Nonnull hsip_secret_table(void);

/// Who is asked, on this thread, before the service shows a prompt: the answer says whether it may.
void hsip_secret_ask_before_prompts(gboolean (*_Nullable ask)(void *_Nullable), void *_Nullable context);

/// The domain of the errors with which a call ends because of its prompt, and their numbers.
GQuark hsip_secret_prompt_error(void);
enum hsip_secret_prompt_code { hsip_secret_not_allowed = 1, hsip_secret_dismissed = 2 };

/// A service on a connection of our own. `session` says whether to agree on a key for secrets.
SecretService *_Nullable hsip_secret_service(GDBusConnection *_Nonnull bus, gboolean session,
                                             GCancellable *_Nullable cancellable,
                                             GError *_Nullable *_Nonnull error);

/// An item as it stands, without following its changes: a proxy that follows them costs four more messages.
SecretItem *_Nullable hsip_secret_item(SecretService *_Nonnull service, const char *_Nonnull path,
                                       GCancellable *_Nullable cancellable,
                                       GError *_Nullable *_Nonnull error);

/// Many items as they stand, several asked for at a time; NULL in the place of one that is not there. FALSE
/// and an error when anything else went wrong: then there are none.
gboolean hsip_secret_items(SecretService *_Nonnull service, const char *_Nullable const *_Nullable paths,
                           SecretItem *_Nullable *_Nonnull items, gsize count,
                           GCancellable *_Nullable cancellable, GError *_Nullable *_Nonnull error);

/// A collection as it stands, without its items.
SecretCollection *_Nullable hsip_secret_collection(SecretService *_Nonnull service, const char *_Nonnull path,
                                                   GCancellable *_Nullable cancellable,
                                                   GError *_Nullable *_Nonnull error);

/// Whether the service is also known by another name on the bus. Nothing is started for that.
gboolean hsip_secret_is_also(SecretService *_Nonnull service, const char *_Nonnull name,
                             GCancellable *_Nullable cancellable, GError *_Nullable *_Nonnull error);

/// Whether the service is hsip's own: it has the property io.hsip.Provider1.Vault. Asked of the program that answers now.
gboolean hsip_secret_is_own(SecretService *_Nonnull service, GCancellable *_Nullable cancellable,
                            GError *_Nullable *_Nonnull error);

/// Removes an empty collection; FALSE without an error where the service asks a person first, or is gone.
gboolean hsip_secret_remove_collection(SecretService *_Nonnull service, const char *_Nonnull path,
                                       GCancellable *_Nullable cancellable,
                                       GError *_Nullable *_Nonnull error);

/// The process that owns a name on the bus; 0 and no error where no process owns it. It starts none.
guint32 hsip_bus_holder(GDBusConnection *_Nonnull bus, const char *_Nonnull name,
                        GCancellable *_Nullable cancellable, GError *_Nullable *_Nonnull error);

/// Whether the bus names its clients by descriptors of their processes (ProcessFD), and not by numbers alone.
gboolean hsip_bus_names_descriptors(GDBusConnection *_Nonnull bus, GCancellable *_Nullable cancellable,
                                    GError *_Nullable *_Nonnull error);

/// Lets the bus read again which programs it starts for which names.
void hsip_bus_reload(GDBusConnection *_Nonnull bus, GCancellable *_Nullable cancellable,
                     GError *_Nullable *_Nonnull error);

/// A table of texts, both owned by it.
GHashTable *_Nonnull hsip_secret_texts(void);

/// The properties that a new item (with attributes) or collection (without) gets.
GHashTable *_Nonnull hsip_secret_properties(const char *_Nonnull label, GHashTable *_Nullable attributes);

/// The property of a proxy that is a list of object paths; NULL when it has none. The strings belong to
/// `holder`, the list to the caller.
const char *_Nullable *_Nullable hsip_secret_paths(SecretService *_Nonnull service,
                                                  const char *_Nonnull property,
                                                  GVariant *_Nullable *_Nonnull holder);

#endif

#include "CSecretLoader.h"
#include "prompts.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static struct hsip_secret table;
static GType service_type;
static SecretServiceClass *service_parent;

// libsecret's own constructor insists on the session bus that GLib shares within a program. That one cannot
// be had again once it was lost, and takes the whole program with it; so its choice is taken back here.
static GObject *construct(GType type, guint count, GObjectConstructParam *properties) {
    GObject *service = ((GObjectClass *)service_parent)->constructor(type, count, properties);
    (table.g_object_set)(service, "g-bus-type", G_BUS_TYPE_NONE, "g-flags",
                         G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS, NULL);
    return service;
}

static void service_class_init(gpointer class, gpointer data) {
    (void)data;
    service_parent = (table.g_type_class_peek_parent)(class);
    ((GObjectClass *)class)->constructor = construct;
    ((SecretServiceClass *)class)->prompt_async = hsip_secret_prompt_async;
    ((SecretServiceClass *)class)->prompt_finish = hsip_secret_prompt_finish;
}

const struct hsip_secret *hsip_secret_table(void) {
    return &table;
}

int hsip_secret_load(const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) return 0;
    struct hsip_secret found;
    // A handle finds what the library brings with it too, so GLib's functions come from the same GLib.
#define HSIP_SECRET_FIND(name) \
    if ((*(void **)(&found.name) = dlsym(handle, #name)) == NULL) return 0;
    HSIP_SECRET_FUNCTIONS(HSIP_SECRET_FIND)
#undef HSIP_SECRET_FIND
    table = found;
    if (service_type == 0)
        service_type = (table.g_type_register_static_simple)(
            (table.secret_service_get_type)(), "HsipSecretService", sizeof(SecretServiceClass),
            service_class_init, sizeof(SecretService), NULL, (GTypeFlags)0);
    return 1;
}

SecretService *hsip_secret_service(GDBusConnection *bus, gboolean session, GCancellable *cancellable,
                                   GError **error) {
    return (table.g_initable_new)(service_type, cancellable, error,
                                  "g-connection", bus,
                                  "g-name", "org.freedesktop.secrets",
                                  "g-object-path", "/org/freedesktop/secrets",
                                  "g-interface-name", "org.freedesktop.Secret.Service",
                                  "flags", session ? SECRET_SERVICE_OPEN_SESSION : SECRET_SERVICE_NONE,
                                  NULL);
}

// What an item and a collection have in common: a place below the service, seen once. They are asked of the
// service that answered so far, by its own name on the bus, and never start another one.
static gpointer part(GType type, const char *interface, SecretService *service, const char *path,
                     GCancellable *cancellable, GError **error) {
    GDBusProxy *proxy = (GDBusProxy *)service;
    char *owner = (table.g_dbus_proxy_get_name_owner)(proxy);
    if (owner == NULL) return NULL;
    gpointer part = (table.g_initable_new)(type, cancellable, error,
                                           "service", service,
                                           "g-connection", (table.g_dbus_proxy_get_connection)(proxy),
                                           "g-flags", G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS,
                                           "g-name", owner,
                                           "g-object-path", path,
                                           "g-interface-name", interface,
                                           NULL);
    (table.g_free)(owner);
    return part;
}

gboolean hsip_secret_is_also(SecretService *service, const char *name, GCancellable *cancellable, GError **error) {
    GDBusProxy *proxy = (GDBusProxy *)service;
    GDBusProxy *other = (table.g_dbus_proxy_new_sync)(
        (table.g_dbus_proxy_get_connection)(proxy),
        G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS
            | G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START,
        NULL, name, "/", "org.freedesktop.DBus.Peer", cancellable, error);
    if (other == NULL) return FALSE;
    char *owner = (table.g_dbus_proxy_get_name_owner)(other);
    char *own = (table.g_dbus_proxy_get_name_owner)(proxy);
    gboolean is_same = owner != NULL && own != NULL && strcmp(owner, own) == 0;
    (table.g_free)(owner);
    (table.g_free)(own);
    (table.g_object_unref)(other);
    return is_same;
}

gboolean hsip_secret_is_own(SecretService *service, GCancellable *cancellable, GError **error) {
    GDBusProxy *proxy = (GDBusProxy *)service;
    char *owner = (table.g_dbus_proxy_get_name_owner)(proxy);
    if (owner == NULL) return FALSE;
    // It reads all properties of the interface; a service that has no such interface has none.
    GDBusProxy *own = (table.g_dbus_proxy_new_sync)(
        (table.g_dbus_proxy_get_connection)(proxy), G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS, NULL, owner,
        "/org/freedesktop/secrets", "io.hsip.Provider1", cancellable, error);
    (table.g_free)(owner);
    if (own == NULL) return FALSE;
    GVariant *vault = (table.g_dbus_proxy_get_cached_property)(own, "Vault");
    if (vault != NULL) (table.g_variant_unref)(vault);
    (table.g_object_unref)(own);
    return vault != NULL;
}

gboolean hsip_secret_remove_collection(SecretService *service, const char *path, GCancellable *cancellable,
                                       GError **error) {
    GDBusProxy *proxy = (GDBusProxy *)service;
    char *owner = (table.g_dbus_proxy_get_name_owner)(proxy);
    if (owner == NULL) return FALSE;
    GVariant *answer = (table.g_dbus_connection_call_sync)(
        (table.g_dbus_proxy_get_connection)(proxy), owner, path, "org.freedesktop.Secret.Collection", "Delete", NULL,
        (const GVariantType *)"(o)", G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, cancellable, error);
    (table.g_free)(owner);
    if (answer == NULL) return FALSE;
    const char *prompt = NULL;
    (table.g_variant_get)(answer, "(&o)", &prompt);
    gboolean is_done = strcmp(prompt, "/") == 0;
    (table.g_variant_unref)(answer);
    return is_done;
}

static GVariant *ask_bus(GDBusConnection *bus, const char *method, GVariant *arguments, const char *answer,
                         GCancellable *cancellable, GError **error) {
    return (table.g_dbus_connection_call_sync)(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                               "org.freedesktop.DBus", method, arguments,
                                               (const GVariantType *)answer, G_DBUS_CALL_FLAGS_NONE, -1,
                                               cancellable, error);
}

guint32 hsip_bus_holder(GDBusConnection *bus, const char *name, GCancellable *cancellable, GError **error) {
    GVariant *answer = ask_bus(bus, "GetConnectionUnixProcessID", (table.g_variant_new)("(s)", name), "(u)",
                               cancellable, error);
    if (answer == NULL) {
        if (*error != NULL && (*error)->domain == (table.g_dbus_error_quark)()
            && (*error)->code == G_DBUS_ERROR_NAME_HAS_NO_OWNER) {
            (table.g_error_free)(*error);
            *error = NULL;
        }
        return 0;
    }
    guint32 process = 0;
    (table.g_variant_get)(answer, "(u)", &process);
    (table.g_variant_unref)(answer);
    return process;
}

gboolean hsip_bus_names_descriptors(GDBusConnection *bus, GCancellable *cancellable, GError **error) {
    const char *own = (table.g_dbus_connection_get_unique_name)(bus);
    if (own == NULL) return FALSE;
    GVariant *answer = ask_bus(bus, "GetConnectionCredentials", (table.g_variant_new)("(s)", own), "(a{sv})",
                               cancellable, error);
    if (answer == NULL) return FALSE;
    GVariant *credentials = (table.g_variant_get_child_value)(answer, 0);
    GVariant *descriptor = (table.g_variant_lookup_value)(credentials, "ProcessFD", NULL);
    gboolean is_there = descriptor != NULL;
    if (is_there) (table.g_variant_unref)(descriptor);
    (table.g_variant_unref)(credentials);
    (table.g_variant_unref)(answer);
    return is_there;
}

void hsip_bus_reload(GDBusConnection *bus, GCancellable *cancellable, GError **error) {
    GVariant *answer = ask_bus(bus, "ReloadConfig", NULL, "()", cancellable, error);
    if (answer != NULL) (table.g_variant_unref)(answer);
}

SecretItem *hsip_secret_item(SecretService *service, const char *path, GCancellable *cancellable,
                             GError **error) {
    return part((table.secret_item_get_type)(), "org.freedesktop.Secret.Item", service, path, cancellable,
                error);
}

struct looks {
    gsize waiting;
    GError *error;
};

struct look {
    struct looks *all;
    SecretItem **item;
};

// An item that is not there has no properties, which libsecret calls an unknown method.
static int is_missing(const GError *error) {
    if (error->domain == (table.secret_error_get_quark)()) return error->code == SECRET_ERROR_NO_SUCH_OBJECT;
    return error->domain == (table.g_dbus_error_quark)()
        && (error->code == G_DBUS_ERROR_UNKNOWN_METHOD || error->code == G_DBUS_ERROR_UNKNOWN_OBJECT
            || error->code == G_DBUS_ERROR_UNKNOWN_INTERFACE);
}

static void on_looked(GObject *source, GAsyncResult *result, gpointer data) {
    struct look *look = data;
    GError *error = NULL;
    *look->item = (SecretItem *)(table.g_async_initable_new_finish)((GAsyncInitable *)source, result, &error);
    look->all->waiting -= 1;
    if (error != NULL && !is_missing(error) && look->all->error == NULL)
        look->all->error = error;
    else if (error != NULL)
        (table.g_error_free)(error);
    (table.g_free)(look);
}

gboolean hsip_secret_items(SecretService *service, const char *const *paths, SecretItem **items, gsize count,
                           GCancellable *cancellable, GError **error) {
    GMainContext *context = (table.g_main_context_get_thread_default)();
    char *owner = (table.g_dbus_proxy_get_name_owner)((GDBusProxy *)service);
    struct looks all = {0, NULL};
    for (gsize i = 0; i < count && owner != NULL; i++) {
        // Fewer at a time than a bus allows answers to be due (128), each item taking two.
        while (all.waiting >= 32) (table.g_main_context_iteration)(context, TRUE);
        if (all.error != NULL) break;
        struct look *look = (table.g_malloc0)(sizeof *look);
        look->all = &all;
        look->item = &items[i];
        all.waiting += 1;
        (table.g_async_initable_new_async)((table.secret_item_get_type)(), G_PRIORITY_DEFAULT, cancellable,
                                           on_looked, look,
                                           "service", service,
                                           "g-connection",
                                           (table.g_dbus_proxy_get_connection)((GDBusProxy *)service),
                                           "g-flags", G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS,
                                           "g-name", owner,
                                           "g-object-path", paths[i],
                                           "g-interface-name", "org.freedesktop.Secret.Item",
                                           NULL);
    }
    while (all.waiting > 0) (table.g_main_context_iteration)(context, TRUE);
    (table.g_free)(owner);
    if (all.error == NULL) return TRUE;
    for (gsize i = 0; i < count; i++) {
        if (items[i] != NULL) (table.g_object_unref)(items[i]);
        items[i] = NULL;
    }
    (table.g_propagate_error)(error, all.error);
    return FALSE;
}

SecretCollection *hsip_secret_collection(SecretService *service, const char *path, GCancellable *cancellable,
                                         GError **error) {
    return part((table.secret_collection_get_type)(), "org.freedesktop.Secret.Collection", service, path,
                cancellable, error);
}

GHashTable *hsip_secret_texts(void) {
    return (table.g_hash_table_new_full)(table.g_str_hash, table.g_str_equal, table.g_free, table.g_free);
}

static GVariant *dictionary(GHashTable *texts) {
    GHashTableIter entries;
    gpointer name, value;
    gsize count = 0;
    (table.g_hash_table_iter_init)(&entries, texts);
    while ((table.g_hash_table_iter_next)(&entries, &name, &value)) count += 1;
    GVariant *pairs[count + 1];
    count = 0;
    (table.g_hash_table_iter_init)(&entries, texts);
    while ((table.g_hash_table_iter_next)(&entries, &name, &value))
        pairs[count++] = (table.g_variant_new_dict_entry)((table.g_variant_new_string)(name),
                                                          (table.g_variant_new_string)(value));
    return (table.g_variant_new_array)((const GVariantType *)"{ss}", pairs, count);
}

GHashTable *hsip_secret_properties(const char *label, GHashTable *attributes) {
    GHashTable *properties = (table.g_hash_table_new_full)(table.g_str_hash, table.g_str_equal, NULL,
                                                           (GDestroyNotify)table.g_variant_unref);
    const char *interface = attributes == NULL ? "org.freedesktop.Secret.Collection.Label"
                                               : "org.freedesktop.Secret.Item.Label";
    GVariant *text = (table.g_variant_ref_sink)((table.g_variant_new_string)(label));
    (table.g_hash_table_insert)(properties, (gpointer)interface, text);
    if (attributes != NULL)
        (table.g_hash_table_insert)(properties, (gpointer) "org.freedesktop.Secret.Item.Attributes",
                                    (table.g_variant_ref_sink)(dictionary(attributes)));
    return properties;
}

const char **hsip_secret_paths(SecretService *service, const char *property, GVariant **holder) {
    GVariant *value = (table.g_dbus_proxy_get_cached_property)((GDBusProxy *)service, property);
    if (value == NULL) return NULL;
    if (!(table.g_variant_is_of_type)(value, (const GVariantType *)"ao")) {
        (table.g_variant_unref)(value);
        return NULL;
    }
    *holder = value;
    return (table.g_variant_get_objv)(value, NULL);
}

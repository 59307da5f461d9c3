#include "CSecretLoader.h"

#include <dlfcn.h>
#include <stddef.h>

static struct hsip_secret table;
static GType service_type;
static SecretServiceClass *service_parent;

static _Thread_local gboolean (*may_prompt)(void *);
static _Thread_local void *may_prompt_context;

void hsip_secret_ask_before_prompts(gboolean (*ask)(void *), void *context) {
    may_prompt = ask;
    may_prompt_context = context;
}

GQuark hsip_secret_prompt_error(void) {
    return (table.g_quark_from_static_string)("hsip-secret-prompt");
}

static void fail(GTask *task, GQuark domain, gint code) {
    (table.g_task_return_new_error)(task, domain, code, "%s", "");
    (table.g_object_unref)(task);
}

// A prompt that is shown. libsecret's own way to wait for one is not used: with 0.20.5 it waits for ever when the
// service dies meanwhile, and to be cancelled it calls Dismiss, at which GNOME Keyring 42 aborts. A prompt that
// was given up goes away with the connection that asked for it.
struct prompt {
    GTask *task;
    GVariantType *type;
    GDBusConnection *bus;
    GSource *cancelled;
    guint completed, vanished;
    int holders;
};

static void release(gpointer data) {
    struct prompt *prompt = data;
    if (--prompt->holders > 0) return;
    if (prompt->type != NULL) (table.g_variant_type_free)(prompt->type);
    (table.g_object_unref)(prompt->bus);
    (table.g_free)(prompt);
}

// Ends the wait; what comes later finds nothing to do.
static GTask *end(struct prompt *prompt) {
    GTask *task = prompt->task;
    if (task == NULL) return NULL;
    prompt->task = NULL;
    (table.g_dbus_connection_signal_unsubscribe)(prompt->bus, prompt->completed);
    (table.g_bus_unwatch_name)(prompt->vanished);
    (table.g_source_destroy)(prompt->cancelled);
    (table.g_source_unref)(prompt->cancelled);
    return task;
}

static void on_completed(GDBusConnection *bus, const gchar *sender, const gchar *path, const gchar *interface,
                         const gchar *name, GVariant *parameters, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface, (void)name;
    struct prompt *prompt = data;
    GTask *task = end(prompt);
    if (task == NULL) return;
    gboolean dismissed = TRUE;
    GVariant *result = NULL;
    if ((table.g_variant_is_of_type)(parameters, (const GVariantType *)"(bv)"))
        (table.g_variant_get)(parameters, "(bv)", &dismissed, &result);
    // libsecret takes a result that is missing or of another type as it comes, so those are errors.
    if (dismissed || result == NULL || (prompt->type != NULL && !(table.g_variant_is_of_type)(result, prompt->type))) {
        if (result != NULL) (table.g_variant_unref)(result);
        fail(task, hsip_secret_prompt_error(), hsip_secret_dismissed);
        return;
    }
    (table.g_task_return_pointer)(task, result, (GDestroyNotify)table.g_variant_unref);
    (table.g_object_unref)(task);
}

static void on_vanished(GDBusConnection *bus, const gchar *name, gpointer data) {
    (void)bus, (void)name;
    GTask *task = end(data);
    if (task != NULL) fail(task, (table.g_dbus_error_quark)(), G_DBUS_ERROR_NO_REPLY);
}

static gboolean on_cancelled(GCancellable *cancellable, gpointer data) {
    (void)cancellable;
    GTask *task = end(data);
    if (task != NULL) fail(task, (table.g_io_error_quark)(), G_IO_ERROR_CANCELLED);
    return FALSE;
}

static void on_shown(GObject *proxy, GAsyncResult *result, gpointer data) {
    GError *error = NULL;
    GVariant *nothing = (table.g_dbus_proxy_call_finish)((GDBusProxy *)proxy, result, &error);
    if (nothing != NULL) (table.g_variant_unref)(nothing);
    struct prompt *prompt = data;
    GTask *task = error == NULL ? NULL : end(prompt);
    if (task != NULL) {
        (table.g_task_return_error)(task, error);
        (table.g_object_unref)(task);
    } else if (error != NULL) {
        (table.g_error_free)(error);
    }
    release(prompt);
}

static void show(GDBusProxy *shown, const char *owner, const GVariantType *type, GCancellable *cancellable,
                 GTask *task) {
    struct prompt *prompt = (table.g_malloc0)(sizeof *prompt);
    prompt->holders = 4;
    prompt->task = task;
    prompt->type = type == NULL ? NULL : (table.g_variant_type_copy)(type);
    prompt->bus = (table.g_object_ref)((table.g_dbus_proxy_get_connection)(shown));
    prompt->cancelled = (table.g_cancellable_source_new)(cancellable);
    (table.g_source_set_callback)(prompt->cancelled, (GSourceFunc)(void (*)(void))on_cancelled, prompt, release);
    (table.g_source_attach)(prompt->cancelled, (table.g_main_context_get_thread_default)());
    prompt->completed = (table.g_dbus_connection_signal_subscribe)(
        prompt->bus, owner, "org.freedesktop.Secret.Prompt", "Completed",
        (table.g_dbus_proxy_get_object_path)(shown), NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_completed, prompt, release);
    prompt->vanished = (table.g_bus_watch_name_on_connection)(
        prompt->bus, owner, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, on_vanished, prompt, release);
    (table.g_dbus_proxy_call)(shown, "Prompt", (table.g_variant_new)("(s)", ""),
                              G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, on_shown, prompt);
}

// libsecret shows every prompt by this method of the service, on the thread that made the call.
static void prompt_async(SecretService *self, SecretPrompt *prompt, const GVariantType *type,
                         GCancellable *cancellable, GAsyncReadyCallback done, gpointer data) {
    GTask *task = (table.g_task_new)(self, NULL, done, data);
    char *owner = (table.g_dbus_proxy_get_name_owner)((GDBusProxy *)self);
    if (owner == NULL) {
        fail(task, (table.g_dbus_error_quark)(), G_DBUS_ERROR_NO_REPLY);
    } else if (may_prompt != NULL && may_prompt(may_prompt_context)) {
        show((GDBusProxy *)prompt, owner, type, cancellable, task);
    } else {
        fail(task, hsip_secret_prompt_error(), hsip_secret_not_allowed);
    }
    (table.g_free)(owner);
}

static GVariant *prompt_finish(SecretService *self, GAsyncResult *result, GError **error) {
    (void)self;
    return (table.g_task_propagate_pointer)((GTask *)result, error);
}

// libsecret's own constructor insists on the session bus that GLib shares within a program. That one cannot be
// had again once it was lost, and takes the whole program with it; so its choice is taken back here.
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
    ((SecretServiceClass *)class)->prompt_async = prompt_async;
    ((SecretServiceClass *)class)->prompt_finish = prompt_finish;
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
            (table.secret_service_get_type)(), "HsipSecretService", sizeof(SecretServiceClass), service_class_init,
            sizeof(SecretService), NULL, (GTypeFlags)0);
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

SecretItem *hsip_secret_item(SecretService *service, const char *path, GCancellable *cancellable,
                             GError **error) {
    return part((table.secret_item_get_type)(), "org.freedesktop.Secret.Item", service, path, cancellable, error);
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

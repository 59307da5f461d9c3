// How prompts are shown, and waited for.
//
// libsecret's own way is not used: with 0.20.5 it waits for ever when the service dies meanwhile, and to be
// cancelled it calls Dismiss, at which GNOME Keyring 42 aborts. A prompt that was given up goes away with the
// connection that asked for it.
#include "prompts.h"

#define glib hsip_secret_table()

static _Thread_local gboolean (*may_prompt)(void *);
static _Thread_local void *may_prompt_context;

void hsip_secret_ask_before_prompts(gboolean (*ask)(void *), void *context) {
    may_prompt = ask;
    may_prompt_context = context;
}

GQuark hsip_secret_prompt_error(void) {
    return (glib->g_quark_from_static_string)("hsip-secret-prompt");
}

static void fail(GTask *task, GQuark domain, gint code) {
    (glib->g_task_return_new_error)(task, domain, code, "%s", "");
    (glib->g_object_unref)(task);
}

// A prompt that is shown, and what wants to hear of its end.
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
    if (prompt->type != NULL) (glib->g_variant_type_free)(prompt->type);
    (glib->g_object_unref)(prompt->bus);
    (glib->g_free)(prompt);
}

// Ends the wait; what comes later finds nothing to do.
static GTask *end(struct prompt *prompt) {
    GTask *task = prompt->task;
    if (task == NULL) return NULL;
    prompt->task = NULL;
    (glib->g_dbus_connection_signal_unsubscribe)(prompt->bus, prompt->completed);
    (glib->g_bus_unwatch_name)(prompt->vanished);
    (glib->g_source_destroy)(prompt->cancelled);
    (glib->g_source_unref)(prompt->cancelled);
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
    if ((glib->g_variant_is_of_type)(parameters, (const GVariantType *)"(bv)"))
        (glib->g_variant_get)(parameters, "(bv)", &dismissed, &result);
    // libsecret takes a result that is missing or of another type as it comes, so those are errors.
    gboolean fits = result != NULL
        && (prompt->type == NULL || (glib->g_variant_is_of_type)(result, prompt->type));
    if (dismissed || !fits) {
        if (result != NULL) (glib->g_variant_unref)(result);
        fail(task, hsip_secret_prompt_error(), hsip_secret_dismissed);
        return;
    }
    (glib->g_task_return_pointer)(task, result, (GDestroyNotify)glib->g_variant_unref);
    (glib->g_object_unref)(task);
}

static void on_vanished(GDBusConnection *bus, const gchar *name, gpointer data) {
    (void)bus, (void)name;
    GTask *task = end(data);
    if (task != NULL) fail(task, (glib->g_dbus_error_quark)(), G_DBUS_ERROR_NO_REPLY);
}

static gboolean on_cancelled(GCancellable *cancellable, gpointer data) {
    (void)cancellable;
    GTask *task = end(data);
    if (task != NULL) fail(task, (glib->g_io_error_quark)(), G_IO_ERROR_CANCELLED);
    return FALSE;
}

static void on_shown(GObject *proxy, GAsyncResult *result, gpointer data) {
    GError *error = NULL;
    GVariant *nothing = (glib->g_dbus_proxy_call_finish)((GDBusProxy *)proxy, result, &error);
    if (nothing != NULL) (glib->g_variant_unref)(nothing);
    struct prompt *prompt = data;
    GTask *task = error == NULL ? NULL : end(prompt);
    if (task != NULL) {
        (glib->g_task_return_error)(task, error);
        (glib->g_object_unref)(task);
    } else if (error != NULL) {
        (glib->g_error_free)(error);
    }
    release(prompt);
}

static void show(GDBusProxy *shown, const char *owner, const GVariantType *type, GCancellable *cancellable,
                 GTask *task) {
    struct prompt *prompt = (glib->g_malloc0)(sizeof *prompt);
    prompt->holders = 4;
    prompt->task = task;
    prompt->type = type == NULL ? NULL : (glib->g_variant_type_copy)(type);
    prompt->bus = (glib->g_object_ref)((glib->g_dbus_proxy_get_connection)(shown));
    prompt->cancelled = (glib->g_cancellable_source_new)(cancellable);
    (glib->g_source_set_callback)(prompt->cancelled, (GSourceFunc)(void (*)(void))on_cancelled, prompt,
                                  release);
    (glib->g_source_attach)(prompt->cancelled, (glib->g_main_context_get_thread_default)());
    prompt->completed = (glib->g_dbus_connection_signal_subscribe)(
        prompt->bus, owner, "org.freedesktop.Secret.Prompt", "Completed",
        (glib->g_dbus_proxy_get_object_path)(shown), NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_completed, prompt,
        release);
    prompt->vanished = (glib->g_bus_watch_name_on_connection)(
        prompt->bus, owner, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, on_vanished, prompt, release);
    (glib->g_dbus_proxy_call)(shown, "Prompt", (glib->g_variant_new)("(s)", ""),
                              G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, on_shown, prompt);
}

void hsip_secret_prompt_async(SecretService *self, SecretPrompt *prompt, const GVariantType *type,
                         GCancellable *cancellable, GAsyncReadyCallback done, gpointer data) {
    GTask *task = (glib->g_task_new)(self, NULL, done, data);
    char *owner = (glib->g_dbus_proxy_get_name_owner)((GDBusProxy *)self);
    if (owner == NULL) {
        fail(task, (glib->g_dbus_error_quark)(), G_DBUS_ERROR_NO_REPLY);
    } else if (may_prompt != NULL && may_prompt(may_prompt_context)) {
        show((GDBusProxy *)prompt, owner, type, cancellable, task);
    } else {
        fail(task, hsip_secret_prompt_error(), hsip_secret_not_allowed);
    }
    (glib->g_free)(owner);
}

GVariant *hsip_secret_prompt_finish(SecretService *self, GAsyncResult *result, GError **error) {
    (void)self;
    return (glib->g_task_propagate_pointer)((GTask *)result, error);
}

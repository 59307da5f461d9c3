#include "CBareService.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#define NAME "org.freedesktop.secrets"
#define ROOT "/org/freedesktop/secrets"
#define SERVICE "org.freedesktop.Secret.Service"
#define VALUE "a value of forty bytes, as a token has it"

struct bare_service {
    GDBusConnection *bus;
    char *session;
    GVariant *some;
    int wanted;
};

static GVariant *call(struct bare_service *service, const char *path, const char *interface, const char *method,
                      GVariant *arguments, const char *answer) {
    return g_dbus_connection_call_sync(service->bus, NAME, path, interface, method, arguments, G_VARIANT_TYPE(answer),
                                       G_DBUS_CALL_FLAGS_NONE, 60000, NULL, NULL);
}

struct bare_service *bare_service_open(const char *address) {
    GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
        address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        NULL, NULL);
    if (bus == NULL) return NULL;
    struct bare_service *service = g_new0(struct bare_service, 1);
    service->bus = bus;
    GVariant *answer = call(service, ROOT, SERVICE, "OpenSession",
                            g_variant_new("(sv)", "plain", g_variant_new_string("")), "(vo)");
    if (answer == NULL) {
        bare_service_close(service);
        return NULL;
    }
    g_variant_get(answer, "(@vo)", NULL, &service->session);
    g_variant_unref(answer);
    return service;
}

void bare_service_close(struct bare_service *service) {
    if (service->some != NULL) g_variant_unref(service->some);
    g_free(service->session);
    g_dbus_connection_close_sync(service->bus, NULL, NULL);
    g_object_unref(service->bus);
    g_free(service);
}

/* Five attributes, of which one names the number. */
static GVariant *attributes(int number) {
    GVariantBuilder pairs;
    char text[32];
    g_variant_builder_init(&pairs, G_VARIANT_TYPE("a{ss}"));
    g_variant_builder_add(&pairs, "{ss}", "application", "hsip-benchmark");
    if (number >= 0) {
        snprintf(text, sizeof text, "user-%d", number);
        g_variant_builder_add(&pairs, "{ss}", "user", text);
        g_variant_builder_add(&pairs, "{ss}", "server", "mail.example.com");
        g_variant_builder_add(&pairs, "{ss}", "protocol", "imaps");
        g_variant_builder_add(&pairs, "{ss}", "port", "993");
    }
    return g_variant_builder_end(&pairs);
}

int bare_service_store(struct bare_service *service, int number, int replaces) {
    GVariantBuilder properties;
    g_variant_builder_init(&properties, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&properties, "{sv}", "org.freedesktop.Secret.Item.Label", g_variant_new_string("A label"));
    g_variant_builder_add(&properties, "{sv}", "org.freedesktop.Secret.Item.Attributes", attributes(number));
    GVariant *none = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, "", 0, 1);
    GVariant *value = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, VALUE, sizeof VALUE - 1, 1);
    GVariant *answer = call(service, ROOT "/aliases/default", "org.freedesktop.Secret.Collection", "CreateItem",
                            g_variant_new("(a{sv}(o@ay@ays)b)", &properties, service->session, none, value,
                                          "text/plain", replaces),
                            "(oo)");
    if (answer == NULL) return -1;
    const char *path = NULL, *prompt = NULL;
    g_variant_get(answer, "(&o&o)", &path, &prompt);
    int stored = strcmp(prompt, "/") == 0 ? 0 : -1;
    g_variant_unref(answer);
    return stored;
}

static GVariant *search(struct bare_service *service, int number) {
    GVariant *answer = call(service, ROOT, SERVICE, "SearchItems", g_variant_new("(@a{ss})", attributes(number)),
                            "(aoao)");
    if (answer == NULL) return NULL;
    GVariant *open = g_variant_get_child_value(answer, 0);
    g_variant_unref(answer);
    return open;
}

/* How many values come, and in `size` the bytes of the last one. */
static long values(struct bare_service *service, GVariant *paths, gsize *size) {
    GVariant *answer = call(service, ROOT, SERVICE, "GetSecrets", g_variant_new("(@aoo)", paths, service->session),
                            "(a{o(oayays)})");
    if (answer == NULL) return -1;
    GVariant *found = g_variant_get_child_value(answer, 0);
    gsize count = g_variant_n_children(found);
    if (count > 0 && size != NULL) {
        GVariant *entry = g_variant_get_child_value(found, count - 1);
        GVariant *secret = g_variant_get_child_value(entry, 1);
        GVariant *bytes = g_variant_get_child_value(secret, 2);
        *size = g_variant_get_size(bytes);
        g_variant_unref(bytes);
        g_variant_unref(secret);
        g_variant_unref(entry);
    }
    g_variant_unref(found);
    g_variant_unref(answer);
    return (long)count;
}

long bare_service_get(struct bare_service *service, int number) {
    GVariant *paths = search(service, number);
    if (paths == NULL) return -1;
    gsize size = 0;
    long count = g_variant_n_children(paths) == 0 ? -1 : values(service, paths, &size);
    g_variant_unref(paths);
    return count == 1 ? (long)size : -1;
}

long bare_service_search(struct bare_service *service, int number) {
    GVariant *paths = search(service, number);
    if (paths == NULL) return -1;
    long count = (long)g_variant_n_children(paths);
    g_variant_unref(paths);
    return count;
}

/* The paths of the first items of all, as many as there are up to `count`. */
static GVariant *first(struct bare_service *service, int count) {
    if (service->some != NULL && service->wanted != count) g_clear_pointer(&service->some, g_variant_unref);
    if (service->some == NULL) {
        GVariant *paths = search(service, -1);
        if (paths == NULL) return NULL;
        GVariantBuilder some;
        g_variant_builder_init(&some, G_VARIANT_TYPE("ao"));
        for (gsize place = 0; place < g_variant_n_children(paths) && place < (gsize)count; place++) {
            const char *path = NULL;
            g_variant_get_child(paths, place, "&o", &path);
            g_variant_builder_add(&some, "o", path);
        }
        service->some = g_variant_ref_sink(g_variant_builder_end(&some));
        service->wanted = count;
        g_variant_unref(paths);
    }
    return service->some;
}

long bare_service_values(struct bare_service *service, int count) {
    GVariant *some = first(service, count);
    return some == NULL ? -1 : values(service, some, NULL);
}

long bare_service_value(struct bare_service *service) {
    GVariant *one = first(service, 1);
    if (one == NULL || g_variant_n_children(one) != 1) return -1;
    const char *path = NULL;
    g_variant_get_child(one, 0, "&o", &path);
    GVariant *answer = call(service, path, "org.freedesktop.Secret.Item", "GetSecret",
                            g_variant_new("(o)", service->session), "((oayays))");
    if (answer == NULL) return -1;
    long size = (long)g_variant_get_size(answer);
    g_variant_unref(answer);
    return size;
}

int bare_service_agree(struct bare_service *service) {
    /* Any number below the prime, whose first byte is 255, is a public value. */
    unsigned char number[128];
    memset(number, 0x5A, sizeof number);
    GVariant *value = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, number, sizeof number, 1);
    GVariant *answer = call(service, ROOT, SERVICE, "OpenSession",
                            g_variant_new("(sv)", "dh-ietf1024-sha256-aes128-cbc-pkcs7", value), "(vo)");
    if (answer == NULL) return -1;
    char *session = NULL;
    g_variant_get(answer, "(@vo)", NULL, &session);
    g_variant_unref(answer);
    GVariant *closed = call(service, session, "org.freedesktop.Secret.Session", "Close", NULL, "()");
    g_free(session);
    if (closed == NULL) return -1;
    g_variant_unref(closed);
    return 0;
}

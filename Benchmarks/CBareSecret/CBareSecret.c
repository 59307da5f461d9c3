#include "CBareSecret.h"

#define SECRET_WITH_UNSTABLE 1
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>
#include <string.h>

static const SecretSchema schema = {
    "io.hsip.vault.Record",
    SECRET_SCHEMA_NONE,
    {{"vault", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"kind", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"name", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"form", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"user", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {NULL, 0}},
};

static SecretService *service;

static GHashTable *attributes(struct bare_item item) {
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(table, "vault", (gpointer)item.vault);
    if (item.kind != NULL) g_hash_table_insert(table, "kind", (gpointer)item.kind);
    if (item.name != NULL) g_hash_table_insert(table, "name", (gpointer)item.name);
    if (item.user != NULL) {
        g_hash_table_insert(table, "user", (gpointer)item.user);
        g_hash_table_insert(table, "form", "record");
    }
    return table;
}

int bare_connect(void) {
    service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, NULL, NULL);
    return service == NULL ? -1 : 0;
}

int bare_store(struct bare_item item, const char *text) {
    GHashTable *table = attributes(item);
    SecretValue *value = secret_value_new(text, -1, "text/plain");
    gboolean stored = secret_service_store_sync(service, &schema, table, SECRET_COLLECTION_DEFAULT, item.name,
                                                value, NULL, NULL);
    secret_value_unref(value);
    g_hash_table_unref(table);
    return stored ? 0 : -1;
}

long bare_lookup(struct bare_item item) {
    GHashTable *table = attributes(item);
    SecretValue *value = secret_service_lookup_sync(service, &schema, table, NULL, NULL);
    g_hash_table_unref(table);
    if (value == NULL) return -1;
    gsize size = 0;
    (void)secret_value_get(value, &size);
    secret_value_unref(value);
    return (long)size;
}

int bare_simple_store(struct bare_item item, const char *text) {
    GHashTable *table = attributes(item);
    gboolean stored = secret_password_storev_sync(&schema, table, SECRET_COLLECTION_DEFAULT, item.name, text, NULL,
                                                  NULL);
    g_hash_table_unref(table);
    return stored ? 0 : -1;
}

long bare_simple_lookup(struct bare_item item) {
    GHashTable *table = attributes(item);
    gchar *text = secret_password_lookupv_sync(&schema, table, NULL, NULL);
    g_hash_table_unref(table);
    if (text == NULL) return -1;
    long size = (long)strlen(text);
    secret_password_free(text);
    return size;
}

long bare_simple_search(const char *vault) {
    struct bare_item any = {vault, NULL, NULL, NULL};
    GHashTable *table = attributes(any);
    GError *error = NULL;
    GList *found = secret_password_searchv_sync(&schema, table, SECRET_SEARCH_ALL | SECRET_SEARCH_LOAD_SECRETS, NULL,
                                                &error);
    g_hash_table_unref(table);
    if (error != NULL) {
        g_error_free(error);
        return -1;
    }
    long count = (long)g_list_length(found);
    g_list_free_full(found, g_object_unref);
    return count;
}

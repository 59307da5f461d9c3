#include "CPictureLoader.h"

#include <dlfcn.h>
#include <png.h>
#include <qrencode.h>
#include <string.h>

// The names that both have had since 2010 and 2013, and the ABI of the headers above.
static const char qrencode_name[] = "libqrencode.so.4";
static const char png_name[] = "libpng16.so.16";

#define FIND(handle, function) \
    __typeof__(&function) call_##function = (__typeof__(&function))dlsym(handle, #function); \
    if (call_##function == NULL) return HSIP_PICTURE_NO_LIBRARY

// dlopen counts: a library stays once it is there, and the second time costs nothing.
static void *library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

enum hsip_picture hsip_qr_encode(const struct hsip_qr_text *text, struct hsip_qr_code *code) {
    *code = (struct hsip_qr_code){0, NULL, NULL};
    void *handle = library(qrencode_name);
    if (handle == NULL) return HSIP_PICTURE_NO_LIBRARY;
    FIND(handle, QRcode_encodeString);
    FIND(handle, QRinput_new2);
    FIND(handle, QRinput_appendECIheader);
    FIND(handle, QRinput_append);
    FIND(handle, QRcode_encodeInput);
    FIND(handle, QRinput_free);
    QRecLevel level = text->is_medium ? QR_ECLEVEL_M : QR_ECLEVEL_L;
    QRcode *made = NULL;
    if (text->is_ascii) {
        made = call_QRcode_encodeString(text->text, 0, level, QR_MODE_8, 1);
    } else {
        QRinput *input = call_QRinput_new2(0, level);
        if (input == NULL) return HSIP_PICTURE_FAILED;
        int failed = text->is_utf8 && call_QRinput_appendECIheader(input, 26) != 0;
        if (!failed && call_QRinput_append(input, QR_MODE_8, text->length, (const unsigned char *)text->text) == 0)
            made = call_QRcode_encodeInput(input);
        call_QRinput_free(input);
    }
    if (made == NULL) return HSIP_PICTURE_FAILED;
    *code = (struct hsip_qr_code){made->width, made->data, made};
    return HSIP_PICTURE_DONE;
}

void hsip_qr_free(struct hsip_qr_code *code) {
    void *handle = code->kept == NULL ? NULL : library(qrencode_name);
    if (handle == NULL) return;
    // The modules of a secret are a secret.
    QRcode *made = code->kept;
    explicit_bzero(made->data, (size_t)made->width * (size_t)made->width);
    __typeof__(&QRcode_free) call = (__typeof__(&QRcode_free))dlsym(handle, "QRcode_free");
    if (call != NULL) call(code->kept);
    *code = (struct hsip_qr_code){0, NULL, NULL};
}

// libpng's simplified interface, which returns errors where the full one would longjmp.
enum hsip_picture hsip_png_write(const uint8_t *grey, uint32_t side, uint8_t *out, size_t *size) {
    void *handle = library(png_name);
    if (handle == NULL) return HSIP_PICTURE_NO_LIBRARY;
    FIND(handle, png_image_write_to_memory);
    FIND(handle, png_image_free);
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = side;
    image.height = side;
    image.format = PNG_FORMAT_GRAY;
    png_alloc_size_t used = *size;
    int written = call_png_image_write_to_memory(&image, out, &used, 0, grey, 0, NULL);
    call_png_image_free(&image);
    *size = used;
    return written ? HSIP_PICTURE_DONE : HSIP_PICTURE_FAILED;
}

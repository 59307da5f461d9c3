// libqrencode and libpng, looked up when the first picture is made: a program is started a thousand times for each
// picture it paints, and pays for every library that it is linked to.
#ifndef HSIP_CPICTURE_LOADER_H
#define HSIP_CPICTURE_LOADER_H

#include <stddef.h>
#include <stdint.h>

/// The result.
enum hsip_picture {
    HSIP_PICTURE_DONE = 0,
    /// It does not fit, or memory is out.
    HSIP_PICTURE_FAILED = 1,
    /// The library is not there.
    HSIP_PICTURE_NO_LIBRARY = 2
};

/// A QR code: `width` times `width` modules in rows, whose lowest bit is their colour.
struct hsip_qr_code {
    int width;
    const uint8_t *_Nullable modules;
    void *_Nullable kept;
};

/// What is to be encoded, without a zero byte in it; `text` ends with one all the same.
struct hsip_qr_text {
    const char *_Nonnull text;
    int length;
    /// 15 % may be damaged, instead of 7.
    int is_medium;
    /// All bytes are ASCII, so that the modes of the standard may be mixed.
    int is_ascii;
    /// Otherwise: says that it is UTF-8 (AIM ECI 000026).
    int is_utf8;
};

/// Encodes a text in the smallest version that holds it; `hsip_qr_free` when it is done.
enum hsip_picture hsip_qr_encode(const struct hsip_qr_text *_Nonnull text, struct hsip_qr_code *_Nonnull code);
void hsip_qr_free(struct hsip_qr_code *_Nonnull code);

/// Writes a square of 8-bit grey points as PNG. `size` is the room in `out`, then how much of it was used.
enum hsip_picture hsip_png_write(const uint8_t *_Nonnull grey, uint32_t side, uint8_t *_Nonnull out,
                                 size_t *_Nonnull size);

#endif

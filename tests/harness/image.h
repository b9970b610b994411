/* image.h - what tests that forge images know of their layout: "NSCW", version (2 bytes), size of a
   number (2), length (4), CRC-32 of all the rest (4), all little-endian.  The sum is computed bit by
   bit, unlike the library's. */
#ifndef NSC_TEST_IMAGE_H
#define NSC_TEST_IMAGE_H
#include <stdint.h>

enum {
    IMAGE_VERSION_AT = 4,
    IMAGE_REAL_AT = 6,
    IMAGE_LENGTH_AT = 8,
    IMAGE_CRC_AT = 12,
    IMAGE_HEADER = 16
};

static inline uint32_t image_crc(uint32_t crc, const unsigned char *bytes, int n)
{
    int i, bit;
    crc = ~crc;
    for (i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static inline void image_put(unsigned char *bytes, uint32_t value, int n)
{
    int i;
    for (i = 0; i < n; i++) bytes[i] = (unsigned char)(value >> 8 * i & 255);
}

/* Give an image the checksum of what it now says. */
static inline void image_sign(unsigned char *image, int size)
{
    uint32_t crc = image_crc(0, image, IMAGE_CRC_AT);
    image_put(image + IMAGE_CRC_AT, image_crc(crc, image + IMAGE_HEADER, size - IMAGE_HEADER), 4);
}
#endif

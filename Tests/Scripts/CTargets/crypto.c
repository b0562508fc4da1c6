#include "CCrypto.h"
#include "calls.h"

#include <string.h>

/// Whether bytes are those of a text of hexadecimal digits.
static int are(const uint8_t *bytes, size_t size, const char *digits) {
  for (size_t i = 0; i < size; i++) {
    char text[3];
    snprintf(text, sizeof text, "%02x", bytes[i]);
    if (strncmp(text, digits + 2 * i, 2) != 0) return 0;
  }
  return digits[2 * size] == '\0';
}

void try_crypto(void) {
  EXPECT(strlen(ccr_library_names()) > 0);
  if (!ccr_is_there()) {
    puts("SKIPPED: there is no libcrypto to be loaded");
    return;
  }

  // RFC 6070, to 20 bytes and with a zero in it, and RFC 7914, which has 64 bytes.
  uint8_t key[CCR_KEY_SIZE];
  EXPECT(ccr_derive(CCR_SHA1, (const uint8_t *)"password", 8, (const uint8_t *)"salt", 4, 4096, key));
  EXPECT(are(key, 20, "4b007901b765489abead49d926f721d065a429c1"));
  EXPECT(ccr_derive(CCR_SHA256, (const uint8_t *)"passwd", 6, (const uint8_t *)"salt", 4, 1, key));
  EXPECT(are(key, 32, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"));
  EXPECT(!ccr_derive(CCR_SHA1, key, (size_t)INT32_MAX + 1, key, 4, 1, key));
  EXPECT(!ccr_derive(CCR_SHA1, key, 4, key, 4, (uint32_t)INT32_MAX + 1, key));

  // RFC 3394, 4.6.
  uint8_t wrapping[CCR_KEY_SIZE], wrapped[CCR_WRAPPED_KEY_SIZE], unwrapped[CCR_KEY_SIZE];
  for (size_t i = 0; i < CCR_KEY_SIZE; i++) {
    wrapping[i] = (uint8_t)i;
    key[i] = (uint8_t)(i < 16 ? i * 0x11 : i - 16);
  }
  EXPECT(ccr_wrap(CCR_ENCRYPT, wrapping, key, wrapped));
  EXPECT(are(wrapped, sizeof wrapped,
             "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"));
  EXPECT(ccr_wrap(CCR_DECRYPT, wrapping, wrapped, unwrapped));
  EXPECT(memcmp(key, unwrapped, sizeof key) == 0);
  for (size_t i = 0; i < sizeof wrapped; i++) {
    wrapped[i] ^= 1;
    EXPECT(!ccr_wrap(CCR_DECRYPT, wrapping, wrapped, unwrapped));
    wrapped[i] ^= 1;
  }

  // NIST's GFSbox of AES-256 has a key of zeros too: with one block, CBC and ECB are the same.
  static const uint8_t zeros[CCR_KEY_SIZE];
  static const uint8_t text[CCR_BLOCK_SIZE] = {0x01, 0x47, 0x30, 0xf8, 0x0a, 0xc6, 0x25, 0xfe,
                                               0x84, 0xf0, 0x26, 0xc6, 0x0b, 0xfd, 0x54, 0x7d};
  uint8_t block[CCR_BLOCK_SIZE], back[CCR_BLOCK_SIZE];
  EXPECT(ccr_crypt(CCR_ENCRYPT, zeros, text, sizeof text, block));
  EXPECT(are(block, sizeof block, "5c9d844ed46f9885085e5d6a4f94c7d7"));
  EXPECT(ccr_crypt(CCR_DECRYPT, zeros, block, sizeof block, back));
  EXPECT(memcmp(text, back, sizeof text) == 0);
  EXPECT(ccr_crypt(CCR_DECRYPT, zeros, block, 0, back));
  EXPECT(!ccr_crypt(CCR_DECRYPT, zeros, block, 15, back));

  // Large, so that blocks depend on those before them.
  size_t size = 1 << 20;
  uint8_t *large = calloc(3, size);
  EXPECT(large != NULL && ccr_crypt(CCR_ENCRYPT, key, large, size, large + size));
  EXPECT(memcmp(large + size, large + size + CCR_BLOCK_SIZE, CCR_BLOCK_SIZE) != 0);
  EXPECT(ccr_crypt(CCR_DECRYPT, key, large + size, size, large + 2 * size));
  EXPECT(memcmp(large, large + 2 * size, size) == 0);
  free(large);
}

#ifndef C_CRYPTO_H
#define C_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// The machine's own cryptography: CommonCrypto on Apple platforms, otherwise OpenSSL's libcrypto. It is loaded
/// when it is first needed, so a build does not need it. Call all functions but the first two only after
/// `ccr_is_there` has returned 1. All keys have `CCR_KEY_SIZE` bytes.

enum { CCR_KEY_SIZE = 32, CCR_WRAPPED_KEY_SIZE = 40, CCR_BLOCK_SIZE = 16 };

enum ccr_hash { CCR_SHA1, CCR_SHA256 };

/// The direction of a call. Backups are only decrypted; tests encrypt them.
enum ccr_direction { CCR_DECRYPT, CCR_ENCRYPT };

/// Returns 1 if the machine has a library with all functions. It is tried once, on any thread.
int ccr_is_there(void);

/// Returns the names of the libraries that are tried, for a sentence.
const char *ccr_library_names(void);

/// Derives a key from a password, which may contain zeros, by PBKDF2. Returns 1, or 0 if it fails.
int ccr_derive(enum ccr_hash hash, const uint8_t *password, size_t password_size,
               const uint8_t *salt, size_t salt_size, uint32_t iterations, uint8_t *key);

/// Wraps a key with another as in RFC 3394, or unwraps it. Returns 1, or 0 if it fails, for example if the key
/// was not wrapped with `wrapping_key`.
int ccr_wrap(enum ccr_direction direction, const uint8_t *wrapping_key, const uint8_t *key,
             uint8_t *result);

/// Encrypts or decrypts whole blocks by AES-256-CBC with an initialization vector of zeros. Returns
/// 1, or 0 if it fails.
int ccr_crypt(enum ccr_direction direction, const uint8_t *key, const uint8_t *bytes, size_t size,
              uint8_t *result);

#endif

#include "CCrypto.h"

#ifdef __APPLE__

#include <CommonCrypto/CommonCryptor.h>
#include <CommonCrypto/CommonKeyDerivation.h>
#include <CommonCrypto/CommonSymmetricKeywrap.h>

int ccr_is_there(void) { return 1; }

const char *ccr_library_names(void) { return "CommonCrypto"; }

int ccr_derive(enum ccr_hash hash, const uint8_t *password, size_t password_size,
               const uint8_t *salt, size_t salt_size, uint32_t iterations, uint8_t *key) {
  CCPseudoRandomAlgorithm algorithm =
      hash == CCR_SHA1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA256;
  return CCKeyDerivationPBKDF(kCCPBKDF2, (const char *)password, password_size, salt, salt_size,
                              algorithm, iterations, key, CCR_KEY_SIZE) == kCCSuccess;
}

int ccr_wrap(enum ccr_direction direction, const uint8_t *wrapping_key, const uint8_t *key,
             uint8_t *result) {
  size_t size = direction == CCR_ENCRYPT ? CCR_WRAPPED_KEY_SIZE : CCR_KEY_SIZE;
  int status = direction == CCR_ENCRYPT
                   ? CCSymmetricKeyWrap(kCCWRAPAES, CCrfc3394_iv, CCrfc3394_ivLen, wrapping_key,
                                        CCR_KEY_SIZE, key, CCR_KEY_SIZE, result, &size)
                   : CCSymmetricKeyUnwrap(kCCWRAPAES, CCrfc3394_iv, CCrfc3394_ivLen, wrapping_key,
                                          CCR_KEY_SIZE, key, CCR_WRAPPED_KEY_SIZE, result, &size);
  return status == kCCSuccess;
}

int ccr_crypt(enum ccr_direction direction, const uint8_t *key, const uint8_t *bytes, size_t size,
              uint8_t *result) {
  size_t written = 0;
  return CCCrypt(direction == CCR_ENCRYPT ? kCCEncrypt : kCCDecrypt, kCCAlgorithmAES, 0, key,
                 CCR_KEY_SIZE, NULL, bytes, size, result, size, &written) == kCCSuccess &&
         written == size;
}

#else

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

// The used functions of libcrypto, as docs.openssl.org declares them.
static struct {
  const void *(*sha1)(void);
  const void *(*sha256)(void);
  int (*pbkdf2)(const char *, int, const unsigned char *, int, int, const void *, int,
                unsigned char *);
  const void *(*aes_256_cbc)(void);
  const void *(*aes_256_wrap)(void);
  void *(*context_new)(void);
  void (*context_free)(void *);
  void (*set_flags)(void *, int);
  int (*set_padding)(void *, int);
  int (*init)(void *, const void *, void *, const unsigned char *, const unsigned char *, int);
  int (*update)(void *, unsigned char *, int *, const unsigned char *, int);
} crypto;

static const char *const library_names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
static const size_t library_count = sizeof library_names / sizeof *library_names;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_there;

enum {
  // EVP_CIPHER_CTX_FLAG_WRAP_ALLOW
  FLAG_WRAP_ALLOW = 0x1,
  // The most bytes that are passed at once to a function that counts by int.
  MOST_AT_ONCE = 1 << 30,
};

// Finds a function. POSIX requires this conversion of dlsym's result, which is an object pointer.
static int find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  *(void **)function = found;
  return found != NULL;
}

static int find_all(void *library) {
  return find(library, "EVP_sha1", &crypto.sha1) &&
         find(library, "EVP_sha256", &crypto.sha256) &&
         find(library, "PKCS5_PBKDF2_HMAC", &crypto.pbkdf2) &&
         find(library, "EVP_aes_256_cbc", &crypto.aes_256_cbc) &&
         find(library, "EVP_aes_256_wrap", &crypto.aes_256_wrap) &&
         find(library, "EVP_CIPHER_CTX_new", &crypto.context_new) &&
         find(library, "EVP_CIPHER_CTX_free", &crypto.context_free) &&
         find(library, "EVP_CIPHER_CTX_set_flags", &crypto.set_flags) &&
         find(library, "EVP_CIPHER_CTX_set_padding", &crypto.set_padding) &&
         find(library, "EVP_CipherInit_ex", &crypto.init) &&
         find(library, "EVP_CipherUpdate", &crypto.update);
}

static void load(void) {
  for (size_t i = 0; i < library_count && !is_there; i++) {
    void *library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) continue;
    is_there = find_all(library);
    if (!is_there) dlclose(library);
  }
}

int ccr_is_there(void) {
  pthread_once(&once, load);
  return is_there;
}

const char *ccr_library_names(void) { return "libcrypto.so.3 or libcrypto.so.1.1"; }

int ccr_derive(enum ccr_hash hash, const uint8_t *password, size_t password_size,
               const uint8_t *salt, size_t salt_size, uint32_t iterations, uint8_t *key) {
  if (password_size > INT_MAX || salt_size > INT_MAX || iterations > INT_MAX) return 0;
  return crypto.pbkdf2((const char *)password, (int)password_size, salt, (int)salt_size,
                       (int)iterations, hash == CCR_SHA1 ? crypto.sha1() : crypto.sha256(),
                       CCR_KEY_SIZE, key) == 1;
}

// Runs a cipher over bytes. Returns 1 if the result has `expected` bytes.
static int run(const void *cipher, enum ccr_direction direction, const uint8_t *key,
               const uint8_t *vector, const uint8_t *bytes, size_t size, uint8_t *result,
               size_t expected) {
  void *context = crypto.context_new();
  if (context == NULL) return 0;
  crypto.set_flags(context, FLAG_WRAP_ALLOW);
  int succeeds = crypto.init(context, cipher, NULL, key, vector, direction == CCR_ENCRYPT) == 1 &&
                 crypto.set_padding(context, 0) == 1;
  size_t done = 0;
  while (succeeds && size > 0) {
    int part = size > MOST_AT_ONCE ? MOST_AT_ONCE : (int)size;
    int written = 0;
    succeeds = crypto.update(context, result + done, &written, bytes, part) == 1 && written >= 0;
    bytes += part;
    size -= (size_t)part;
    done += succeeds ? (size_t)written : 0;
  }
  crypto.context_free(context);
  return succeeds && done == expected;
}

int ccr_wrap(enum ccr_direction direction, const uint8_t *wrapping_key, const uint8_t *key,
             uint8_t *result) {
  size_t sizes[] = {CCR_WRAPPED_KEY_SIZE, CCR_KEY_SIZE};
  // Before it fails, unwrapping may write as many bytes as it reads.
  uint8_t bytes[CCR_WRAPPED_KEY_SIZE + CCR_BLOCK_SIZE];
  int encrypts = direction == CCR_ENCRYPT;
  if (!run(crypto.aes_256_wrap(), direction, wrapping_key, NULL, key, sizes[encrypts], bytes,
           sizes[!encrypts])) {
    return 0;
  }
  for (size_t i = 0; i < sizes[!encrypts]; i++) result[i] = bytes[i];
  return 1;
}

int ccr_crypt(enum ccr_direction direction, const uint8_t *key, const uint8_t *bytes, size_t size,
              uint8_t *result) {
  static const uint8_t zeros[CCR_BLOCK_SIZE];
  return run(crypto.aes_256_cbc(), direction, key, zeros, bytes, size, result, size);
}

#endif

/* What this library was compiled of. */
#include "gambol.h"

#ifndef GB_HEADER_HASH
#define GB_HEADER_HASH "unknown"
#endif

const char *gb_header_hash(void) { return GB_HEADER_HASH; }

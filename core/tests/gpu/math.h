/* What every processor rounds alike, and what is no number. */
#pragma once
#define sqrt __builtin_sqrt
#define fabs __builtin_fabs
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

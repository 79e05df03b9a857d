/* Nothing beyond what stdint.h here has. */
#pragma once
#include <stdint.h>

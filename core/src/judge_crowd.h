/* A crowd's characters in a stretch of time. */
#ifndef GB_JUDGE_CROWD_H
#define GB_JUDGE_CROWD_H

#include "judge_bench.h"

/* Places the axes of a character's capsules at a column of its block. */
void gb_judge_place_frame(const gb_check_crowd *crowd, int64_t who, int64_t column, axis *axes);

#endif

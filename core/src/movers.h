/* Movers that are placed when they are asked for. */
#ifndef GB_MOVERS_H
#define GB_MOVERS_H

#include "numbers.h"

#define GB_QUERY_RADIUS_M 1.0 /* a look-up of at most this radius visits one cell: things are entered this far around them */
#define GB_MARK_CELL_M 4.0
#define GB_MARK_BLOCK_FRAMES 32
#define GB_MOVER_RECORDS 5 /* most placements of a mover at a frame */

/* Those that may be near a cell, the last one first: of its list, or all where nothing is laid out yet. */
typedef struct gb_mover_list {
    const gb_mover_near *entry; /* NULL: all */
    int64_t next;
} gb_mover_list;

gb_mover_list gb_movers_list(const gb_movers *movers, int64_t frame, int64_t column, int64_t row);

/* The next mover of a list of those whose circle comes within reach of a place, or GB_NOTHING. */
static inline int64_t gb_next_mover(gb_mover_list *list, double x, double y, double reach) {
    if (!list->entry) return --list->next;
    for (; list->entry->mover >= 0; list->entry++) {
        double aside = (double)list->entry->x - x, along = (double)list->entry->y - y;
        double away = (double)list->entry->reach + reach;
        if (aside * aside + along * along <= away * away) return (list->entry++)->mover;
    }
    return GB_NOTHING;
}

/* Whether a mover may come within reach of a place at a frame, and ever: 1 when in doubt. */
int gb_mover_may_reach(const gb_movers *movers, int64_t mover, int64_t frame, double x, double y, double reach);
int gb_mover_may_ever_reach(const gb_movers *movers, int64_t mover, double x, double y, double reach);

/* The frames, at least one, after which a mover may for the first time come within reach of a place. */
int64_t gb_mover_frames_away(const gb_movers *movers, int64_t mover, int64_t frame, double x, double y, double reach);

/* Whether any mover comes near a coarse cell in the coarse blocks of some frames. */
int gb_movers_mark(const gb_movers *movers, int64_t column, int64_t row, int64_t first_frame, int64_t last_frame);

/* Whether the grown circle of any record from first to last - 1 meets a cell (traffic_layout.c). */
int gb_comes_near(const double *records, int64_t first, int64_t last, int64_t column, int64_t row,
                  const gb_cell_level *level);

/* Lays movers out from one frame to another; the caller holds their lock. */
static inline void gb_traffic_reach(const gb_traffic *traffic, int64_t first_frame, int64_t last_frame) {
    if (!traffic || !traffic->movers || traffic->movers->known == traffic->movers->blocks) return;
    gb_movers_lay_out(traffic->movers, first_frame, last_frame);
}

#endif

"""Which of the things in traffic a body meets on its way."""

from __future__ import annotations

import math

from gambol.kernels.jit import allocation_free_kernel
from gambol.search.kernels.collision import traffic_margins
from gambol.search.kernels.traffic import PARTS, circles_meet, disc_meets_record, records_at


@allocation_free_kernel
def mark_met(world, traffic, actions, samples, poses, frames, things, met):
    """Set met[n] where things[n] is met by any of the instants placed at poses and frames."""
    for number in range(things.shape[0]):
        thing = things[number]
        for at in range(samples.shape[0]):
            first, last = records_at(traffic, thing, frames[at])
            for record in range(first, last):
                if instant_meets_record(
                    world, traffic, actions, samples[at], poses[at, 0], poses[at, 1], poses[at, 2], record
                ):
                    met[number] = True
                    break
            if met[number]:
                break


@allocation_free_kernel
def instant_meets_record(world, traffic, actions, sample, x, y, heading, record):
    """Tell whether an instant placed at a pose meets a record of the traffic."""
    aside_by, lower, higher = traffic_margins(world, x, y, actions.outer_radius[sample])
    if not circles_meet(traffic.records, record, x, y, actions.outer_radius[sample] + aside_by):
        return False
    cosine, sine = math.cos(heading), math.sin(heading)
    for part in range(PARTS):
        low, high = actions.part_low[sample, part], actions.part_high[sample, part]
        if high <= low:
            continue  # a figure without this part
        ahead, aside = actions.part_offset[sample, part, 0], actions.part_offset[sample, part, 1]
        if disc_meets_record(
            traffic, record, x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside,
            actions.part_radius[sample, part] + aside_by, low - lower, high + higher,
        ):  # fmt: skip
            return True
    return False

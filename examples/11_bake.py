"""Bake a job: plans, a tree and a set of queries, in two processes; then again, which finds everything done."""

from contextlib import closing
from pathlib import Path

from gambol.bake import Pool, Store, bake, load_job, write_outputs


def main() -> None:
    job = load_job(Path(__file__).with_suffix(".toml"))
    store = Store("out/bake")
    for _ in range(2):
        with closing(Pool(store, job.gathered, workers=2)) as pool:
            baked = bake(job, store, pool)
        print(
            f"{len(job.tasks)} tasks: {len(baked.spent)} done, {baked.there} were there, {len(baked.failures)} failed"
        )
    for task in job.tasks:
        print(f"{task.label}: {store.result(task.key)['summary']['outcome']}")
    print(*write_outputs(baked))


if __name__ == "__main__":  # workers are started as new processes, which read this file too
    main()

"""Run the jobs: `python -m evidence.soak`."""

import sys

from evidence.soak.run import main

sys.exit(main())

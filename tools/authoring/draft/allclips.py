import sys; sys.path.insert(0,".")
import numpy as np
from gait_meas import measures, knee
from gambol.motion.balance import *
from gambol.motion import edits
from tools.authoring.locomotion import clips as L
from tools.authoring.actions import clips as A
names=sys.argv[1:]
allc=L.all_clips()|L.angled_starts()|L.small_moves()|L.fan("jog")|A.jumps()|A.ducks()
for n,c in allc.items():
    if names and not any(n.startswith(x) for x in names): continue
    m=edits.resample(c.motion,120.); g=2*c.margin
    k=low_passed(knee(m),120,cutoff_hz=12.); a=np.abs(np.gradient(np.gradient(k,axis=0),axis=0)*120**2)[g:-g]
    h=low_passed(m.root_positions,120,cutoff_hz=12.); ha=np.linalg.norm(np.gradient(np.gradient(h,axis=0),axis=0)*120**2,axis=1)[g:-g]
    b=measure_balance(c.motion,contacts=c.contacts); o=b.outside_m[16:-16]; kn=~np.isnan(o)
    hz=c.motion.root_positions[16:-16,2]
    print(f"{n:20s} missed {(o[kn]>.05).mean():.2f} knee99 {np.percentile(a,99):6.0f} max {a.max():6.0f}@{np.unravel_index(a.argmax(),a.shape)[0]//2} hips {ha.max():5.1f}@{ha.argmax()//2} kneemin {knee(c.motion)[16:-16].min():4.1f} z {hz.min():.3f}-{hz.max():.3f}")

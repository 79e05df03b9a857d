import sys, csv, os
import numpy as np
from pathlib import Path
from gambol.files import read_motion
from gambol.files.formats import ReadOptions
from gambol.motion import edits, detect_contacts
from gambol.motion.balance import *
M=Path(os.environ["GAMBOL_MOCAP"])
def five(b, motion, contacts):
    out=[]
    head=np.diff(b.centre[:,:2],axis=0); 
    for side in("left","right"):
        for f,l in stances(contacts,side):
            if f==0 or l>=motion.frame_count-2 or l-f<6: continue
            v=b.centre[l,:2]-b.centre[f,:2]; u=v/np.linalg.norm(v)
            a=b.push[:,:2]@u
            xs=np.linspace(f,l,6); mids=.5*(xs[1:]+xs[:-1])
            out.append(np.interp(mids,np.arange(len(a)),a))
    return np.mean(out,axis=0) if out else None
if __name__=="__main__":
    rows=list(csv.DictReader(open(M/"INDEX.csv")))
    for r in rows:
        p=M/r["file"] if "file" in r else None
        if "jog_forward" not in str(p) and "walk" not in str(p) : continue
        if len(sys.argv)>1 and sys.argv[1] not in str(p): continue
        rd=read_motion(p, ReadOptions(rate_hz=float(r["fps_true"])))
        m=rd.motion
        c=detect_contacts(m); b=measure_balance(m,contacts=c)
        print(p.parent.name,p.name, f"missed {b.missed:.2f}", None if five(b,m,c) is None else np.round(five(b,m,c),1))

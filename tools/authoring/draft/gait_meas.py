import sys; sys.path.insert(0,".")
import numpy as np
from gambol import load_character
from gambol.motion.balance import *
from gambol.motion import edits, measure_quality
from gambol.motion.joint_names import legs, find
from gambol.geometry import quaternion
from gait_try import five
def knee(m):
    out=[]
    for l in legs(m.skeleton):
        a=m.world_positions[:,l.root]-m.world_positions[:,l.middle]; b=m.world_positions[:,l.end]-m.world_positions[:,l.middle]
        out.append(180-np.degrees(np.arccos(np.clip((a*b).sum(1)/np.linalg.norm(a,axis=1)/np.linalg.norm(b,axis=1),-1,1))))
    return np.array(out).T
def measures(m, contacts=None):
    m=edits.resample(m,120.0) if m.rate_hz!=120 else m
    k=low_passed(knee(m),120,cutoff_hz=12.0); acc=np.gradient(np.gradient(k,axis=0),axis=0)*120**2
    h=low_passed(m.root_positions,120,cutoff_hz=12.0); ha=np.linalg.norm(np.gradient(np.gradient(h,axis=0),axis=0)*120**2+[0,0,0],axis=1)[10:-10]
    q=measure_quality(m)
    b=measure_balance(m)
    v=np.linalg.norm(np.gradient(b.centre[:,:2],axis=0)*120,axis=1)[20:-20]
    return dict(knee99=np.percentile(np.abs(acc[10:-10]),99), hip_acc=ha.max(), slide=q.foot_slide_mean_cm_s, slide_max=q.foot_slide_max_cm_s, pen=q.ground_penetration_cm, missed=b.missed, knee_min=k.min(), vr=np.ptp(v))
if __name__=="__main__":
    from gambol import realize
    from gambol.characters import Step
    from gambol.animate import play
    ch=load_character(sys.argv[2] if len(sys.argv)>2 else "human")
    seqs={"jog":["jog"]*8,"walk":["walk"]*6,"slow":["slow"]*5,"fast":["fast"]*6,"turns":["jog","jog-left-50","jog","jog-right-50","jog-left-30","jog-right-30","jog"],"jump":["jog","jump","jog","jump-over","jog","jump-over-far","jog"],"two":["jog","jump-two-foot","jog","jump-two-foot"],"duck":["jog","duck","jog","duck-deep","jog"],"startstop":["start","jog","stop","stand","start-walk","walk","stop-walk"],"spot":["stand","spot-left-90","stand","spot-right-45","side-left","side-right"]}
    for n,s in seqs.items():
        idx=[ch.index(x) for x in s]
        from gambol.animate import play
        m=play(ch,s) if False else None
        try: m=play(ch,s)
        except Exception as e: print("play:",e); raise
        mm=getattr(m,"motion",m)
        print(n,{k:(None if v is None else round(float(v),2)) for k,v in measures(mm).items()})

import sys; sys.path.insert(0,".")
import numpy as np, time
from dataclasses import replace
from scipy.optimize import least_squares
from tools.authoring.locomotion.locomote import *
from tools.authoring.locomotion.locomote import _own_way, _tracks
from tools.authoring.locomotion.gait import *
from tools.authoring.locomotion.height import keep_in_reach
from tools.authoring.figure import hip_joints
from tools.authoring.locomotion.legs import leg_curves
from gambol.motion.balance import low_passed
from scipy.interpolate import CubicSpline
def params(g): return np.concatenate([[p for _,p in g.pitch if p!=0],[t for _,t,_ in g.swing],[k for *_,k in g.swing],np.array(g.landing_m_s)*10])
def with_params(g,x):
    n,m=sum(p!=0 for _,p in g.pitch),len(g.swing)
    it=iter(x[:n])
    return replace(g,pitch=tuple((ph,0.0 if v==0 else float(next(it))) for ph,v in g.pitch),swing=tuple((ph,float(a),float(b)) for (ph,_,_),a,b in zip(g.swing,x[n:n+m],x[n+m:n+2*m])),landing_m_s=tuple(float(v)/10 for v in x[n+2*m:]))
def knees(g, st):
    frames=3*g.stride_frames
    tl=steadily(g,make_timeline(StepPlan("s","jog-left","jog-left",frames//2,3)))
    times=np.arange(0.,frames+1)
    tracks,feet=_tracks(tl,times,lambda gg,ph: st.way(np.mod(ph,1.)))
    tracks.pelvis[:,2]=st.height(np.mod(tl.phase_at(times),1.))
    tracks.ankles=keep_in_reach(tracks,tracks.ankles,feet.standing)
    d=np.linalg.norm(hip_joints(tracks)-tracks.ankles,axis=2)
    k=np.degrees(2*np.arccos(np.clip(d/.86,0,1)))[:,0]
    return k, tracks, feet
def acc(k,n):
    # one stride periodic, at 120 Hz
    kk=np.concatenate([k[n:2*n]]*3); t=np.arange(len(kk)); s=CubicSpline(t,kk)(np.arange(0,len(kk)-1,.5))
    f=low_passed(s,120.,cutoff_hz=12.); a=np.gradient(np.gradient(f))*120**2
    return a[2*n:4*n]
LIM=9.
def run(g, limit, rounds=8, want=()):
    st=steady(g); x0=params(g)
    def res(x):
        gg=with_params(g,x)
        try: k,tr,_=knees(gg,st)
        except Exception as e: return np.full(4*g.stride_frames+len(x)+len(want),1e3)
        n=g.stride_frames; a=acc(k,n)
        w=[(k[n+int(round(ph*n))]-v)/6 for ph,v in want]
        from tools.authoring.figure import assemble
        from tools.authoring.mass import centre_of_mass
        l=centre_of_mass(assemble(tr,60.))-tr.pelvis
        la=np.array([acc(l[:,c],n) for c in (0,2)])
        la=np.linalg.norm(la,axis=0)
        return np.concatenate([(np.abs(a)/limit)**3*3,(la/LIM)**3, (x-x0)/sig, w])
    sig=np.full(len(x0),7.0); sig[0]=2.5; sig[-2:]=2.0
    t=time.time()
    print(g.name,"before",np.percentile(np.abs(acc(knees(g,st)[0],g.stride_frames)),[50,95,99,100]).round(-1))
    r=least_squares(res,x0,max_nfev=rounds,diff_step=1e-3,loss="linear",x_scale=5.0)
    gg=with_params(g,np.round(r.x,1))
    k,_,_=knees(gg,st)
    print(" after",np.percentile(np.abs(acc(k,g.stride_frames)),[50,95,99,100]).round(-1),f"{time.time()-t:.0f}s"); n=g.stride_frames
    print(" knee",np.round(k[n:2*n:2]).astype(int))
    print("    pitch=",gg.pitch); print("    swing=",gg.swing,"landing",gg.landing_m_s)
    return gg
if __name__=="__main__":
    for name in sys.argv[1:]:
        run({"jog":JOG,"walk":WALK,"slow":SLOW_WALK,"fast":FAST_WALK}[name],11000.)

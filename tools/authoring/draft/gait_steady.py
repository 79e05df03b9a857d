import numpy as np, sys, time
from tools.authoring.locomotion.locomote import *
from tools.authoring.locomotion.locomote import _tracks,_solve,_hips_high,_own_way
from tools.authoring.locomotion.gait import *
sys.path.insert(0,".")
from gait_try import five
from gambol.motion.balance import *
from gambol.motion.contacts import Contacts, contact_points
from gambol.motion.ground import Ground
for g in (JOG,WALK,SLOW_WALK,FAST_WALK):
    t=time.time(); st=steady(g)
    frames=7*g.stride_frames
    plan=StepPlan("s","jog-left","jog-left",frames//2,7)
    tl=steadily(g,make_timeline(plan)); times=np.arange(0.,frames+1)
    tracks,feet=_tracks(tl,times,lambda gg,ph: st.way(np.mod(ph,1.)))
    tracks.pelvis[:,2]=st.height(np.mod(tl.phase_at(times),1.))
    m=assemble(tracks,RATE_HZ); pts=contact_points(m.skeleton)
    pl=np.zeros((len(times),len(pts)),bool); pl[:,:4]=feet.planted.reshape(-1,4)
    con=Contacts(pts,pl,Ground(0.)); b=measure_balance(m,contacts=con)
    o=b.outside_m[60:-60]; k=~np.isnan(o)
    v=np.gradient(b.centre[:,0])*60
    mid=slice(3*g.stride_frames,4*g.stride_frames)
    w=st.way(np.linspace(0,1,9))
    print(g.name,"missed",(o[k]>.05).mean(),"five",np.round(five(b,m,con),1),"speed range",round(np.ptp(v[mid]),3),"fastest at phase",np.argmax(v[mid])/g.stride_frames,"slowest",np.argmin(v[mid])/g.stride_frames, "mean", v[mid].mean().round(3), f"{time.time()-t:.1f}s")
    print("  ahead cm",np.round(100*w[:,0],1)," aside",np.round(100*w[:,1],1), "height", np.round(100*st.height(np.linspace(0,1,9)),1))

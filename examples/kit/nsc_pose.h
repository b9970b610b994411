/* nsc_pose.h - poses and rotations
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h. */
#ifndef NSC_POSE_H
#define NSC_POSE_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

NSCI_C_BEGIN

/* ---- poses.  A pose takes an inner frame into an outer one.  Its orientation should be of unit
   length; nothing is checked here, and NaN comes out where NaN goes in: calls that take the result
   refuse it. */

/* Pose of inner's inner frame in outer's outer one, as products of transformations: with the pose
   of a body and the pose of a camera on it, that of the camera in the world */
NSC_API nsc_pose nsc_pose_multiply(nsc_pose outer, nsc_pose inner);
NSC_API nsc_pose nsc_pose_inverse(nsc_pose pose);

/* A point [m] and a vector (of any unit) of the inner frame, in the outer one; a vector turns
   only */
NSC_API nsc_vec3 nsc_pose_point(nsc_pose pose, nsc_vec3 point);
NSC_API nsc_vec3 nsc_pose_vector(nsc_pose pose, nsc_vec3 vector);

/* Turn about an axis of length 1e-18..1e18, counter-clockwise seen from its tip, by an angle [rad]
   of either sign; rpy: by roll about x, then pitch about y, then yaw about z, axes that stay where
   they are, as in URDF.  The same bits everywhere.  {1, 0, 0, 0} for another axis, and where the
   angle is not finite or its size is from 2e5 on; in rpy such an angle counts as 0. */
NSC_API nsc_quat nsc_quat_from_axis_angle(nsc_vec3 axis, nsc_real angle);
NSC_API nsc_quat nsc_quat_from_rpy(nsc_real roll, nsc_real pitch, nsc_real yaw);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_POSE_DONE)
#define NSC_POSE_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

NSC_API nsc_vec3 nsc_pose_point(nsc_pose pose, nsc_vec3 point)
{
    return nsci_centre_at(&pose, pose.orientation, point);
}

NSC_API nsc_vec3 nsc_pose_vector(nsc_pose pose, nsc_vec3 vector)
{
    return nsci_rotate(pose.orientation, vector);
}

NSC_API nsc_pose nsc_pose_multiply(nsc_pose outer, nsc_pose inner)
{
    inner.position = nsc_pose_point(outer, inner.position);
    inner.orientation = nsci_quat_normalise(nsci_quat_mul(outer.orientation, inner.orientation));
    return inner;
}

NSC_API nsc_pose nsc_pose_inverse(nsc_pose pose)
{
    pose.orientation.x = -pose.orientation.x;
    pose.orientation.y = -pose.orientation.y;
    pose.orientation.z = -pose.orientation.z;
    pose.position = nsci_rotate(pose.orientation, nsci_neg(pose.position));
    return pose;
}

NSC_API nsc_quat nsc_quat_from_axis_angle(nsc_vec3 axis, nsc_real angle)
{
    return nsci_quat_exp(nsci_mul_sv(angle, nsci_unit(axis, nsci_vec(0, 0, 0))));
}

NSC_API nsc_quat nsc_quat_from_rpy(nsc_real roll, nsc_real pitch, nsc_real yaw)
{
    nsc_quat x = nsc_quat_from_axis_angle(nsci_vec(1, 0, 0), roll);
    nsc_quat y = nsc_quat_from_axis_angle(nsci_vec(0, 1, 0), pitch);
    nsc_quat z = nsc_quat_from_axis_angle(nsci_vec(0, 0, 1), yaw);
    return nsci_quat_mul(z, nsci_quat_mul(y, x));
}

NSCI_C_END
NSCI_BITS_END
#endif

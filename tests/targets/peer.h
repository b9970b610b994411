/* peer.h - what count-peers asks of an engine, and the scenes, the same for each.  C99 that is C++
   too.  SCENE is one of the five; peer_main.c has main(). */
#ifndef PEER_H
#define PEER_H
#include <stddef.h>

#define SCENE_BOX 0   /* one cube of 1 m and 1 kg on the ground */
#define SCENE_STACK 1 /* ten of them */
#define SCENE_BALLS 2 /* 14 balls of 1 kg that fall on each other */
#define SCENE_CHAIN 3 /* 8 links of 1 kg on hinges, falling from the horizontal; nothing collides */
#define SCENE_WHEELS 4 /* two wheels that motors turn, and a trunk that hangs under their axle: 1 kg each, 2 hinges, 4 contacts */
#ifndef SCENE
#define SCENE SCENE_STACK
#endif
#if SCENE == SCENE_BOX
#define BODIES 1
#elif SCENE == SCENE_STACK
#define BODIES 10
#elif SCENE == SCENE_BALLS
#define BODIES 14
#elif SCENE == SCENE_CHAIN
#define BODIES 8
#else
#define BODIES 3
#endif
#define HINGES (SCENE == SCENE_CHAIN || SCENE == SCENE_WHEELS)

static const float GRAVITY = 9.81f, FRICTION = 0.5f, HALF = 0.5f;
static const float LINK = 0.2f, LINK_WIDTH = 0.05f;
static const float WHEEL = 0.1f, TRACK = 0.3f, TYRE = 0.04f; /* radius, between the wheels, width of the tyre [m] */
static const float WHEEL_SPEED = 3.0f, WHEEL_TORQUE = 0.5f;  /* [rad/s, N m] */

typedef struct place { float x, y, z; } place;

static inline float ball_radius(int i) { return 0.09375f + 0.015625f * (float)(i % 4); }

/* Where body i begins, not turned */
static inline place place_of(int i)
{
    place p = {0.0f, 0.0f, (float)i + HALF};
    if (SCENE == SCENE_BALLS) {
        p.x = 0.125f * (float)(i % 3 - 1);
        p.y = 0.109375f * (float)(i / 3 % 2);
        p.z = 0.25f + 0.21875f * (float)i;
    }
    if (SCENE == SCENE_CHAIN) {
        p.x = LINK * ((float)i + 0.5f);
        p.z = 0.0f;
    }
    if (SCENE == SCENE_WHEELS) {
        p.y = i == 0 ? 0.0f : i == 1 ? 0.5f * TRACK : -0.5f * TRACK;
        p.z = i == 0 ? 0.5f * WHEEL : WHEEL; /* the trunk comes first */
    }
    return p;
}

/* Principal moments of 1 kg */
static inline place inertia_of(int i)
{
    float cube = 1.0f / 6.0f, across = LINK_WIDTH * LINK_WIDTH / 12.0f, along = LINK * LINK / 12.0f;
    float ball = 0.4f * ball_radius(i) * ball_radius(i);
    place m = {cube, cube, cube};
    if (SCENE == SCENE_BALLS) m.x = m.y = m.z = ball;
    if (SCENE == SCENE_CHAIN) {
        m.x = 2.0f * across;
        m.y = m.z = along + across;
    }
    if (SCENE == SCENE_WHEELS) m.x = m.y = m.z = 0.4f * WHEEL * WHEEL;
    return m;
}

#ifdef __cplusplus
extern "C" {
#endif
void peer_build(float step);
void peer_step(void);
void peer_pose(int i, float *pose); /* x y z, then w x y z of the quaternion */

/* Memory for the engines that want a heap; align is a power of 2.  It is counted. */
void *peer_take(size_t size, size_t align);
void peer_give(void *memory);
#ifdef __cplusplus
}
#endif
#endif

/* derive.c - nsc_derive.h: the step of any world by any input.  What is refused leaves numbers and
   world as they were, what is answered is finite.  Where the step is smooth, that is where central
   differences of whole steps over two lengths agree, a column agrees with them. */
#include "target.h"

enum { DERIVE_OUTPUTS = 6 * NSC_MAX_BODIES };

static nsc_world derive_trial;
static long derive_compared; /* columns */

/* Velocities at the end of a step from a state that an input has moved: 0, if it is not solved */
static int derive_end(const nsc_derive_input *x, nsc_real by, nsc_real h, double *v)
{
    nsc_world *w = &derive_trial;
    int i, k;
    memcpy(w, &api_world, sizeof *w);
    if (nsc_derive_move(w, x, by) != NSC_OK)
        return 0;
    for (i = 0; i < w->joint_end; i++) /* a gear that a move violates is drawn back */
        w->joints[i].offset = api_world.joints[i].offset;
    w->contact_count = api_world.contact_count; /* what contacts remember stays */
    memcpy(w->contacts, api_world.contacts, sizeof w->contacts);
    memcpy(w->manifolds, api_world.manifolds, sizeof w->manifolds);
    w->manifold_end = api_world.manifold_end;
    if (step_by(w, h) != NSC_OK)
        return 0;
    if (w->report.solver.residual > (NSC_REAL_EPS < NSC_R(1e-10) ? NSC_R(1e-9) : NSC_R(1e-5)))
        return 0;
    if (w->report.contacts != api_world.report.contacts)
        return 0;
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        const nsc_body *b = &w->bodies[i];
        int on = i < w->body_end && b->kind == NSC_DYNAMIC_BODY && b->generation % 2;
        for (k = 0; k < 3; k++) {
            v[6 * i + k] = on ? (double)(&b->velocity.x)[k] : 0;
            v[6 * i + 3 + k] = on ? (double)(&b->angular_velocity.x)[k] : 0;
        }
    }
    return 1;
}

/* Central difference; 0, if its two halves differ by more than a hundredth of the largest */
static int derive_difference(const nsc_derive_input *x, nsc_real step, nsc_real h, double *column,
                             double *most)
{
    static double low[DERIVE_OUTPUTS], mid[DERIVE_OUTPUTS], high[DERIVE_OUTPUTS];
    double bend = 0, fast = 1, s = (double)step;
    int i;
    if (!derive_end(x, -step, h, low) || !derive_end(x, NSC_R(0.0), h, mid) ||
        !derive_end(x, step, h, high))
        return 0;
    *most = 0;
    for (i = 0; i < DERIVE_OUTPUTS; i++) {
        column[i] = (high[i] - low[i]) / (2 * s);
        *most = fmax(*most, fabs(column[i]));
        bend = fmax(bend, fabs(high[i] - 2 * mid[i] + low[i]) / s);
        fast = fmax(fast, fabs(mid[i]));
    }
    *most += 1e4 * (double)NSC_REAL_EPS * fast / s; /* what rounding may be taken for */
    return bend <= 0.01 * *most;
}

static void derive_compare(nsc_derive *d, const nsc_derive_input *x, nsc_real h)
{
    static double once[DERIVE_OUTPUTS], twice[DERIVE_OUTPUTS];
    static nsc_real change[12 * NSC_MAX_BODIES];
    nsc_real one = NSC_R(1.0), step = sizeof one == 8 ? NSC_R(1e-5) : NSC_R(2e-2);
    double most, other, apart = 0, wrong = 0;
    int i, k;
    if (d->redundant > 0 || d->shared > 0 || api_world.found_count > 0)
        return;
    if (nsc_derive_product(d, x, 1, &one, change) != NSC_OK)
        return;
    if (!derive_difference(x, step, h, once, &most) ||
        !derive_difference(x, step * NSC_R(4.0), h, twice, &other))
        return;
    most = fmax(most, other);
    for (i = 0; i < NSC_MAX_BODIES; i++)
        for (k = 0; k < 6; k++) {
            apart = fmax(apart, fabs(once[6 * i + k] - twice[6 * i + k]));
            wrong = fmax(wrong, fabs(once[6 * i + k] - (double)change[12 * i + 6 + k]));
        }
    if (apart > 0.01 * most)
        return;
    derive_compared++;
    if (api_trace)
        fprintf(stderr, "kind %d: wrong by %.3g of %.3g\n", x->kind, wrong, most);
    FUZZ_CHECK(wrong <= 0.05 * most);
}

static uint32_t derive_run(const uint8_t *data, size_t size, int poison)
{
    fuzz_input in;
    nsc_derive *d = &kit_derivative;
    nsc_derive_input x[4];
    nsc_world_def def;
    nsc_real h;
    uint32_t hash;
    int calls, how, i;
    in.at = data, in.end = data + size;
    api_poison = poison, api_trace = getenv("FUZZ_TRACE") != NULL;
    api_digest = UINT32_C(2166136261);
    memset(&api_world, poison, sizeof api_world), memset(&api_other, poison, sizeof api_other);
    memset(d, 0, sizeof *d);
    fuzz_scene(&api_world, fuzz_scene_of(fuzz_byte(&in)));
    def = api_world.def; /* what can be differentiated, solved well */
    how = fuzz_byte(&in);
    def.stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
    def.solver.law = how & 1 ? NSC_LAW_CONE : NSC_LAW_COULOMB;
    def.solver.max_iterations = 200;
    def.solver.tolerance = NSC_REAL_EPS;
    def.sleep_time = NSC_R(0.0);
    if (how & 2)
        KIT(nsc_world_set_def(&api_world, &def));
    api_spoil(&api_world);
    for (calls = how >> 2 & 7; in.at < in.end && calls > 0; calls--) {
        int b = fuzz_byte(&in);
        if (b < 128)
            KIT(step_by(&api_world, NSC_R(0.01)));
        else
            api_call(&in);
    }
    h = how & 128 ? api_step_length(&in) : NSC_R(0.01);
    kit_inputs(&in, x);
    if (KIT(nsc_derive_begin(d, &api_world, &api_other, h)) == NSC_OK) {
        api_hold();
        for (i = 0; i < 4; i++)
            derive_compare(d, &x[i], h);
        kit_result(NSC_OK);
        FUZZ_CHECK(memcmp(&api_before, &api_world, NSC_WORLD_STATE_SIZE) == 0);
    }
    if (in.at < in.end)
        kit_derive(&in);
    hash = nsc_world_hash(&api_world);
    return fuzz_mix(api_digest, &hash, sizeof hash);
}

KIT_TWICE(derive)

KIT_ENTRY(derive)

/* A device keeps a record of its world: the inputs and the hash of each step and, now and then, an
   image.  A desktop replays the record to the same hash at every step, stops at the step you name,
   and hands its contact problem to all solvers.  Here the device is a robot on four wheels with an
   arm, which an operator drives about a yard among three crates.
       17_recorder                       plays the device, damages its record, replays, dumps
       17_recorder record > LOG          plays the device alone
       17_recorder replay LOG            compares all hashes
       17_recorder replay LOG STEP FILE  goes to STEP, and dumps its contact problem to FILE
       17_recorder damage LOG            flips bits of LOG: is each found, and named?
   Files: nsc.h and nsc_solvers.h, and all of kit/, as the desktop compares all solvers (nsc_all.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 17_recorder.c -lm
   With -DRECORDER_DEVICE it is the device alone, which firmware/run.sh runs on a Cortex-M4F; beside
   the two headers it needs joints (nsc_joints.h), images and hashes (nsc_image.h).

   THE RECORD is text, one line after the other, each with its CRC behind a star:
       recorder 1 RATE                      version, steps a second
       image STEP BYTES                     nsc_world_save after that step; its bytes follow:
       :HEX                                 32 of them a line
       STEP INPUT HASH                      four bytes of input, nsc_world_hash after the step
       end STEP
   The steps of an hour, 200 a second, are 20 MB; an image is 17 to 25 KB, one a second here.

   Expected: no hash differs; of 200 flipped bits each is named by its line; a bit that flips in the
   device's memory is named by its step; SIPGS repeats the device's residual to the bit. */
#define NSC_MAX_BODIES 12
#define NSC_MAX_SHAPES 16
#define NSC_MAX_CONTACTS 48
#define NSC_MAX_JOINTS 6
#define NSC_IMPLEMENTATION
#ifdef RECORDER_DEVICE
/* The core, joints and images.  Hashes are those of the desktop's build, which has more parts, and
   it loads these images; its own have other bytes, for they hold accelerations (nsc_imu.h), which
   are 0 in the device's. */
#define NSC_NO_SUBSTEPS
#include "nsc.h"
#include "nsc_image.h"
#else
#define NSC_MAX_EVENTS 0 /* here and on the device */
#define NSC_ARENA NSC_ARENA_DANTZIG(3 * NSC_MAX_BLOCKS) /* of all solvers the largest */
#define NSC_STEPPERS 0 /* of nsc_all.h what no machine here needs */
#define NSC_SMOOTH 0
#define NSC_HULL_VERTICES 0
#include "nsc_all.h"
#include "nsc_print.h"
#endif
#include <stdio.h>
#include <string.h>

#define H (NSC_R(1.0) / RATE) /* a step [s] */
enum { RATE = 200, STEPS = 1000, IMAGE_EVERY = 200, INPUTS = 4, CRATES = 3 };
enum { DRIVE, TURN, SHOULDER, ELBOW }; /* what the operator's sticks do */

static nsc_world world;
static nsc_id chassis, motor[4], arm[2];
static unsigned char image[16384];

/* ---- the machine: device and desktop alike */

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0, 0, 0};
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static nsc_id part(nsc_real mass, nsc_shape_def shape, nsc_vec3 at)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position = at;
    id = nsc_world_add_body(&world, &body);
    if (id < 0 || nsc_world_add_shape(&world, id, &shape) < 0)
        return -1;
    return nsc_body_set_mass(&world, id, mass) < 0 ? -1 : id;
}

/* A hinge about y, with a motor (stiffness 0) or a servo */
static nsc_id hinge(nsc_id a, nsc_id b, nsc_vec3 at, nsc_real effort, nsc_real stiffness)
{
    nsc_joint_def def = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
    if (nsc_joint_place(&world, &def, at, vec(0, 1, 0), vec(1, 0, 0)) < 0)
        return -1;
    def.axis[0].drive = stiffness > 0 ? NSC_DRIVE_SERVO : NSC_DRIVE_MOTOR;
    def.axis[0].stiffness = stiffness;
    def.axis[0].damping = stiffness / 10;
    def.axis[0].max_force = effort;
    return nsc_world_add_joint(&world, &def);
}

/* Four half-spaces as walls of a yard of 3 m, turned a quarter about x or y */
static int add_walls(void)
{
    const nsc_real half = NSC_SQRT(NSC_R(0.5));
    int i;
    for (i = 0; i < 4; i++) {
        nsc_shape_def wall = nsc_default_half_space_def();
        nsc_real side = i % 2 ? NSC_R(1.5) : NSC_R(-1.5);
        wall.pose.position = i < 2 ? vec(side, 0, 0) : vec(0, side, 0);
        wall.pose.orientation.w = half;
        wall.pose.orientation.y = i < 2 ? (side < 0 ? half : -half) : 0;
        wall.pose.orientation.x = i < 2 ? 0 : (side < 0 ? -half : half);
        if (nsc_world_add_shape(&world, NSC_GROUND, &wall) < 0)
            return -1;
    }
    return 0;
}

static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), rim = nsc_default_sphere_def(NSC_R(0.08));
    nsc_shape_def crate = nsc_default_box_def(NSC_R(0.1), NSC_R(0.1), NSC_R(0.1));
    nsc_shape_def link = nsc_default_capsule_def(NSC_R(0.03), NSC_R(0.12));
    nsc_id upper, lower;
    int i;
    def.solver.max_iterations = 30; /* what a microcontroller has time for */
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0)
        return -1;
    chassis = part(6, nsc_default_box_def(NSC_R(0.2), NSC_R(0.1), NSC_R(0.04)),
                   vec(NSC_R(-0.5), 0, NSC_R(0.12)));
    if (add_walls() < 0 || chassis < 0)
        return -1;
    for (i = 0; i < 4; i++) {
        nsc_vec3 at = vec(NSC_R(-0.5) + (i < 2 ? NSC_R(0.15) : NSC_R(-0.15)),
                          i % 2 ? NSC_R(-0.17) : NSC_R(0.17), NSC_R(0.08));
        motor[i] = hinge(chassis, part(NSC_R(0.4), rim, at), at, 4, 0);
        if (motor[i] < 0)
            return -1;
    }
    upper = part(NSC_R(0.5), link, vec(NSC_R(-0.4), 0, NSC_R(0.31)));
    lower = part(NSC_R(0.5), link, vec(NSC_R(-0.4), 0, NSC_R(0.55)));
    if (upper < 0 || lower < 0)
        return -1;
    arm[0] = hinge(chassis, upper, vec(NSC_R(-0.4), 0, NSC_R(0.19)), 8, 30);
    arm[1] = hinge(upper, lower, vec(NSC_R(-0.4), 0, NSC_R(0.43)), 4, 20);
    for (i = 0; i < CRATES; i++) {
        nsc_vec3 at = vec(NSC_R(0.3), i < 2 ? NSC_R(0.11) * (nsc_real)(2 * i - 1) : 0,
                          i < 2 ? NSC_R(0.1) : NSC_R(0.301));
        if (part(2, crate, at) < 0)
            return -1;
    }
    return arm[0] < 0 || arm[1] < 0 ? -1 : 0;
}

/* Inputs are whole numbers, as a device reads them: what a record holds must be all that the step
   depends on. */
static int steer(const signed char input[INPUTS])
{
    nsc_real drive = (nsc_real)input[DRIVE] / 8, turn = (nsc_real)input[TURN] / 16; /* [rad/s] */
    int i, code = NSC_OK;
    for (i = 0; i < 4 && code == NSC_OK; i++)
        code = nsc_joint_set_target(&world, motor[i], 0, 0, i % 2 ? drive + turn : drive - turn);
    if (code == NSC_OK)
        code = nsc_joint_set_target(&world, arm[0], 0, NSC_R(0.9) + (nsc_real)input[SHOULDER] / 180,
                                    0);
    if (code == NSC_OK)
        code = nsc_joint_set_target(&world, arm[1], 0, NSC_R(0.9) + (nsc_real)input[ELBOW] / 120,
                                    0);
    return code;
}

/* By SIPGS, as nsc_world_step does.  An image does not say which solver made the steps: for another
   one device and desktop would both name it here, in nsc_calls. */
static int advance(const signed char input[INPUTS])
{
    int code = steer(input);
    return code < 0 ? code : nsc_world_step(&world, H);
}

/* ---- the device: it writes */

static void put(const char *from, int length); /* to the serial line, or into the host's memory */

/* CRC-16 of a line (polynomial 0x1021): it finds every single bit, and all bursts up to 16 */
static unsigned crc16(const char *line, int length)
{
    unsigned crc = 0xffff, x;
    int i;
    for (i = 0; i < length; i++) {
        x = (crc >> 8 ^ (unsigned char)line[i]) & 255;
        x ^= x >> 4;
        crc = (crc << 8 ^ x << 12 ^ x << 5 ^ x) & 0xffff;
    }
    return crc;
}

static int put_word(char *to, const char *word)
{
    int n = 0;
    while (word[n]) {
        to[n] = word[n];
        n++;
    }
    return n;
}

static int put_decimal(char *to, uint32_t x)
{
    char reversed[10];
    int i, n = 0;
    do {
        reversed[n++] = (char)('0' + (int)(x % 10));
        x /= 10;
    } while (x > 0);
    for (i = 0; i < n; i++)
        to[i] = reversed[n - 1 - i];
    return n;
}

static int put_hex(char *to, uint32_t x, int digits)
{
    int i;
    for (i = 0; i < digits; i++)
        to[i] = "0123456789abcdef"[x >> 4 * (digits - 1 - i) & 15];
    return digits;
}

/* The line, its star, CRC and end */
static void put_line(char *line, int length)
{
    unsigned crc = crc16(line, length);
    line[length++] = '*';
    length += put_hex(line + length, crc, 4);
    line[length++] = '\n';
    put(line, length);
}

static void put_number(const char *word, uint32_t a, int b)
{
    char line[48];
    int n = put_word(line, word);
    n += put_decimal(line + n, a);
    if (b >= 0) {
        line[n++] = ' ';
        n += put_decimal(line + n, (uint32_t)b);
    }
    put_line(line, n);
}

static int put_image(int step)
{
    int i, size = nsc_world_save(&world, image, (int)sizeof image);
    if (size < 0)
        return size;
    put_number("image ", (uint32_t)step, size);
    for (i = 0; i < size;) {
        char line[80];
        int n = 1;
        line[0] = ':';
        do
            n += put_hex(line + n, image[i++], 2);
        while (i % 32 && i < size);
        put_line(line, n);
    }
    return NSC_OK;
}

static void put_step(int step, const signed char input[INPUTS])
{
    char line[48];
    int i, n = put_decimal(line, (uint32_t)step);
    line[n++] = ' ';
    for (i = 0; i < INPUTS; i++)
        n += put_hex(line + n, (uint32_t)(unsigned char)input[i], 2);
    line[n++] = ' ';
    n += put_hex(line + n, nsc_world_hash(&world), 8);
    put_line(line, n);
}

/* A pseudo-random operator: every 0.3 s another place for each stick, which moves there smoothly */
static void operate(uint32_t *state, int step, signed char want[INPUTS], signed char is[INPUTS])
{
    int i;
    for (i = 0; i < INPUTS; i++) {
        if (step % 60 == 1) {
            *state ^= *state << 13;
            *state ^= *state >> 17;
            *state ^= *state << 5;
            want[i] = (signed char)((int)(*state >> 8 & 255) - 128);
            if (i == DRIVE) /* mostly forward, to where the crates are */
                want[i] = (signed char)(want[i] / 2 + 50);
        }
        is[i] = (signed char)(is[i] + (want[i] - is[i]) / 8);
    }
}

/* A bit of the world flips, as by radiation: of the chassis's speed */
static void flip_memory(void)
{
    nsc_vec3 v, w;
    uint32_t bits;
    float x;
    if (nsc_body_get_velocity(&world, chassis, &v, &w) < 0)
        return;
    x = (float)v.x;
    memcpy(&bits, &x, sizeof bits);
    bits ^= 1;
    memcpy(&x, &bits, sizeof bits);
    v.x = (nsc_real)x;
    nsc_body_set_velocity(&world, chassis, v, w);
}

/* The whole life of the device; flip_at: the step before which a bit of its memory flips, or 0 */
static int record(int flip_at)
{
    signed char want[INPUTS] = {0}, input[INPUTS] = {0};
    uint32_t state = 123456789;
    int step, code = setup();
    if (code < 0)
        return code;
    put_number("recorder 1 ", RATE, -1);
    code = put_image(0);
    for (step = 1; step <= STEPS && code >= 0; step++) {
        operate(&state, step, want, input);
        if (step == flip_at)
            flip_memory();
        code = advance(input);
        put_step(step, input);
        if (code == NSC_OK && step % IMAGE_EVERY == 0)
            code = put_image(step);
    }
    put_number("end ", (uint32_t)(step - 1), -1);
    return code;
}

#ifdef RECORDER_DEVICE

static void put(const char *from, int length)
{
    fwrite(from, 1, (size_t)length, stdout);
}

int main(void)
{
    int code = record(0);
    return code < 0 || nsc_world_report(&world)->dropped_ever > 0;
}

#else

/* ---- the desktop: it reads */
#include "nsc_dump.h"
#include <stdlib.h>

enum { MOST_STEPS = 800000, MOST_IMAGES = 4000, MOST_TEXT = 64000000 };

struct step {
    signed char input[INPUTS];
    uint32_t hash;
};
struct image {
    int step, line, bytes;
    long at; /* where its lines begin in the text */
};

static char text[MOST_TEXT]; /* the record */
static long text_length;
static struct step steps[MOST_STEPS]; /* [number of the step] */
static int step_count, image_count, ended;
static struct image images[MOST_IMAGES];
#define DIGITS "0123456789abcdef"
static nsc_world other; /* another world: to look at an image, or to step on without consequences */

static void put(const char *from, int length)
{
    if (text_length + length > MOST_TEXT)
        return;
    memcpy(text + text_length, from, (size_t)length);
    text_length += length;
}

/* What is wrong with which line; NULL: nothing */
static const char *wrong;
static int wrong_line;

static int complain(const char *what, int line)
{
    wrong = what;
    wrong_line = line;
    return -1;
}

/* `digits` hexadecimal digits; -1 if they are none */
static int64_t take_hex(const char *from, int digits)
{
    int64_t x = 0;
    int i;
    for (i = 0; i < digits; i++) {
        const char *all = DIGITS, *at = from[i] ? strchr(all, from[i]) : NULL;
        if (!at)
            return -1;
        x = x * 16 + (at - all);
    }
    return x;
}

/* A decimal number that ends the line or is followed by `then`; -1 if it is none */
static int take_decimal(const char **from, char then)
{
    int64_t x = 0;
    const char *at = *from;
    while (*at >= '0' && *at <= '9' && x < 100000000)
        x = 10 * x + (*at++ - '0');
    if (at == *from || *at != then)
        return -1;
    *from = at + (then != 0);
    return (int)x;
}

/* Copy the line that begins at `at` without its CRC, which must be right; its length with all, or
   -1 */
static int take_line(long at, char line[128])
{
    const char *from = text + at, *end = memchr(from, '\n', (size_t)(text_length - at));
    long n = end ? (long)(end - from) - 5 : -1;
    if (n < 1 || n > 120 || from[n] != '*' || take_hex(from + n + 1, 4) != crc16(from, (int)n))
        return -1;
    memcpy(line, from, (size_t)n);
    line[n] = 0;
    return (int)n + 6;
}

static int read_image(const char *line, int number, long at)
{
    const char *rest = line + 6;
    struct image *m = &images[image_count];
    if (image_count == MOST_IMAGES)
        return complain("more images than MOST_IMAGES", number);
    m->step = take_decimal(&rest, ' ');
    m->bytes = take_decimal(&rest, 0);
    m->line = number;
    m->at = at;
    if (m->step != step_count || m->bytes < 1 || m->bytes > (int)sizeof image)
        return complain("an image of another step, or of no size that an image has", number);
    image_count++;
    return 0;
}

static int read_step(const char *line, int number)
{
    const char *rest = line;
    struct step *s = &steps[step_count + 1];
    int i, step = take_decimal(&rest, ' ');
    int64_t hash;
    if (step_count + 1 == MOST_STEPS)
        return complain("more steps than MOST_STEPS", number);
    if (step != step_count + 1 || strlen(rest) != 17)
        return complain("a step is missing before it, or it is no step", number);
    for (i = 0; i < INPUTS; i++) {
        int64_t byte = take_hex(rest + 2 * i, 2);
        if (byte < 0)
            return complain("its input is no number", number);
        s->input[i] = (signed char)(byte < 128 ? byte : byte - 256);
    }
    hash = take_hex(rest + 9, 8);
    if (hash < 0)
        return complain("its hash is no number", number);
    s->hash = (uint32_t)hash;
    step_count++;
    return 0;
}

/* Read the record in `text`; 0, or -1 with what is wrong in which line */
static int read_record(void)
{
    char line[128];
    long at = 0;
    int number = 0, left = 0; /* left: bytes of an image that are still to come */
    wrong = NULL;
    step_count = image_count = ended = 0;
    while (at < text_length) {
        int length = take_line(at, line), code = 0;
        number++;
        if (length < 0)
            return complain("damaged, by its CRC", number);
        at += length;
        if (line[0] == ':') {
            left -= (int)(strlen(line) - 1) / 2;
            if (left < 0 || strlen(line) % 2 == 0 || strspn(line + 1, DIGITS) != strlen(line) - 1)
                return complain("bytes of no image", number);
            continue;
        }
        if (left > 0)
            return complain("bytes of the image before it are missing", number);
        if (number == 1 && strcmp(line, "recorder 1 200") != 0)
            return complain("no record of this version and rate", number);
        else if (number > 1 && strncmp(line, "image ", 6) == 0) {
            code = read_image(line, number, at);
            left = code < 0 ? 0 : images[image_count - 1].bytes;
        } else if (number > 1 && strncmp(line, "end ", 4) == 0)
            ended = 1;
        else if (number > 1)
            code = read_step(line, number);
        if (code < 0)
            return code;
    }
    if (image_count == 0)
        return complain("no image", number);
    return ended ? 0 : complain("the record has no end: the rest is missing", number);
}

/* Load image k into a world; 0, or -1 with what is wrong */
static int load_image(nsc_world *w, int k)
{
    const struct image *m = &images[k];
    char line[128];
    long at = m->at;
    int n = 0, i, code;
    while (n < m->bytes) {
        int length = take_line(at, line);
        if (length < 0 || line[0] != ':')
            return complain("damaged, by its CRC", m->line + 1 + n / 32);
        at += length;
        for (i = 1; line[i] && line[i + 1] && n < m->bytes; i += 2)
            image[n++] = (unsigned char)take_hex(line + i, 2);
    }
    code = nsc_world_load(w, image, m->bytes);
    return code < 0 ? complain("nsc_world_load refuses the image", m->line) : 0;
}

static double worst_residual;
static int worst_step;

/* Make steps first .. last, and compare the hash of each, and all images that come by: the first
   step that differs, and `wrong` says by what, or 0 */
static int play(int first, int last)
{
    int step, k;
    for (step = first; step <= last; step++) {
        double residual;
        int code = advance(steps[step].input);
        wrong = code < 0 ? nsc_error_text(code) : "its hash";
        if (code < 0 || nsc_world_hash(&world) != steps[step].hash)
            return step;
        residual = (double)nsc_world_report(&world)->solver.residual;
        if (residual > worst_residual) {
            worst_residual = residual;
            worst_step = step;
        }
        for (k = 0; k < image_count; k++) {
            if (images[k].step != step)
                continue;
            if (load_image(&other, k) < 0)
                return step;
            wrong = "the hash of its image";
            if (nsc_world_hash(&other) != steps[step].hash)
                return step;
        }
    }
    return 0;
}

/* The whole record from its first image; where something differs, on from the next image that can
   be loaded.  Then from every later image to the one after it.  Returns how often something
   differed; the first time in *first_bad, and why in *first_why. */
static int replay(int quiet, int *first_bad, const char **first_why)
{
    int k, bad = -1, differ = 0, through = 0;
    for (k = 0; k < image_count && !through; k++) { /* else it went through all later images */
        int begin = images[k].step, known = begin == bad;
        if (begin < bad)
            continue;
        if (load_image(&world, k) < 0)
            bad = begin;
        else {
            known = 0;
            bad = play(begin + 1, step_count);
            through = bad == 0;
        }
        if (through && !quiet)
            printf("  from the image of step %d: steps %d to %d have the recorded hash\n", begin,
                   begin + 1, step_count);
        if (through || known)
            continue;
        if (!quiet)
            printf("  from the image of step %d: step %d is the first that differs: %s\n", begin, bad,
                   wrong);
        if (differ++ == 0) {
            *first_bad = bad;
            *first_why = wrong;
        }
    }
    for (k = 1; k < image_count && differ == 0 && !quiet; k++) {
        int end = k + 1 < image_count ? images[k + 1].step : step_count;
        if (load_image(&world, k) < 0 || play(images[k].step + 1, end) > 0)
            differ++;
    }
    if (!quiet && differ == 0)
        printf("  from each of the %d later images to the next: the same\n", image_count - 1);
    return differ;
}

/* ---- the problem of one step */

static void write_text(void *user, const char *piece)
{
    fputs(piece, (FILE *)user);
}

static const struct {
    nsc_solver *solve;
    int law;
    const char *name;
} methods[] = {
    {nsc_solve_sipgs, NSC_LAW_COULOMB, "SIPGS COULOMB"},
    {nsc_solve_apgd, NSC_LAW_COULOMB, "APGD COULOMB"},
    {nsc_solve_bb, NSC_LAW_COULOMB, "BB COULOMB"},
    {nsc_solve_admm, NSC_LAW_COULOMB, "ADMM COULOMB"},
    {nsc_solve_newton, NSC_LAW_COULOMB, "NEWTON COULOMB"},
    {nsc_solve_auto, NSC_LAW_COULOMB, "AUTO COULOMB"},
    {nsc_solve_sipgs, NSC_LAW_CONE, "SIPGS CONE"},
    {nsc_solve_apgd, NSC_LAW_CONE, "APGD CONE"},
    {nsc_solve_bb, NSC_LAW_CONE, "BB CONE"},
    {nsc_solve_admm, NSC_LAW_CONE, "ADMM CONE"},
    {nsc_solve_newton, NSC_LAW_CONE, "NEWTON CONE"},
    {nsc_solve_auto, NSC_LAW_CONE, "AUTO CONE"},
    {nsc_solve_sipgs, NSC_LAW_PYRAMID, "SIPGS PYRAMID"},
    {nsc_solve_dantzig, NSC_LAW_PYRAMID, "DANTZIG PYRAMID"},
    {nsc_solve_minres, NSC_LAW_COULOMB, "MINRES"}};

/* Solve the problem of an island as it stands before the step: every call prepares it anew, with
   the impulses that the device began from. */
static int solve_by(nsc_solver *solve, int island, const nsc_settings *settings, nsc_report *report)
{
    nsc_problem p;
    int code = nsc_world_problem(&world, H, island, &p);
    if (code < 0)
        return code;
    solve(&p, settings, report);
    return NSC_OK;
}

/* Go to where `step` begins, its inputs set, from the last image before it.  The step is made and
   undone, to know its islands: returns the largest, and the residual that it had, or -1. */
static int go_before(int step, nsc_real *residual)
{
    int i, k = 0, island = -1, blocks = 0, bad;
    for (i = 0; i < image_count; i++)
        if (images[i].step < step)
            k = i;
    if (step < 1 || step > step_count || load_image(&world, k) < 0)
        return -1;
    bad = play(images[k].step + 1, step - 1);
    if (bad > 0)
        printf("step %d, before it, differs from the record\n", bad);
    printf("step %d, %d steps after an image; inputs %d %d %d %d\n", step, step - images[k].step,
           steps[step].input[0], steps[step].input[1], steps[step].input[2], steps[step].input[3]);
    if (steer(steps[step].input) < 0)
        return -1;
    memcpy(&other, &world, sizeof world);
    if (nsc_world_step(&world, H) < 0)
        return -1;
    for (i = 0; i < nsc_world_report(&world)->islands; i++)
        if (nsc_world_island(&world, i)->blocks > blocks) {
            blocks = nsc_world_island(&world, i)->blocks;
            island = i;
            *residual = nsc_world_island(&world, i)->residual;
        }
    memcpy(&world, &other, sizeof world);
    return island;
}

static int dump(int step, const char *name)
{
    nsc_settings s;
    nsc_report r;
    nsc_problem p;
    nsc_real was = 0;
    FILE *f;
    int i, code, same, island = go_before(step, &was);
    if (island < 0) {
        printf("no such step in the record, or nothing to solve in it\n");
        return 1;
    }
    code = nsc_world_problem(&world, H, island, &p);
    if (code < 0) {
        printf("nsc_world_problem: %s\n", nsc_error_text(code));
        return 1;
    }
    f = fopen(name, "w");
    code = f ? nsc_dump_problem(&p, write_text, f) : 0;
    if (f)
        fclose(f);
    if (code < 0) {
        printf("nsc_dump_problem: %s\n", nsc_error_text(code));
        return 1;
    }
    printf("largest island: %d bodies, %d blocks; %s %s\n", p.body_count - 1, p.block_count,
           f ? "written to" : "could not write", name);
    s = world.def.solver;
    same = solve_by(nsc_solve_sipgs, island, &s, &r) == NSC_OK && !(r.residual < was) &&
           !(r.residual > was);
    printf("as the device solves it: %d iterations, residual %.2e m/s, %s\n", r.iterations,
           (double)r.residual, same ? "to the bit that of the step" : "NOT that of the step");
    printf("solver, law      iterations  factorisations  residual [m/s]  status\n");
    for (i = 0; i < (int)(sizeof methods / sizeof methods[0]); i++) {
        s = nsc_default_settings();
        s.law = methods[i].law;
        s.max_iterations = 2000;
        if (solve_by(methods[i].solve, island, &s, &r) == NSC_OK)
            printf("%-15s  %10d  %14d  %14.1e  %s\n", methods[i].name, r.iterations,
                   r.factorizations, (double)r.residual, nsc_error_text(r.status));
    }
    return !same;
}

/* ---- is damage found? */

static int failures;

static void expect(int holds, const char *what)
{
    printf("  %s%s\n", holds ? "" : "NOT AS EXPECTED: ", what);
    failures += !holds;
}

/* Number of the line that holds a byte of the text */
static int line_of(long at)
{
    int number = 1;
    long i;
    for (i = 0; i < at; i++)
        number += text[i] == '\n';
    return number;
}

/* Where the line of a step, or "image STEP", begins */
static long find_line(const char *begin)
{
    size_t n = strlen(begin);
    long at = 0;
    while (at + (long)n < text_length) {
        const char *end;
        if (memcmp(text + at, begin, n) == 0)
            return at;
        end = memchr(text + at, '\n', (size_t)(text_length - at));
        if (!end)
            break;
        at = (long)(end - text) + 1;
    }
    return -1;
}

/* Change a hexadecimal digit of a line and make its CRC right, as if the device had written it so.
   Twice undoes it. */
static void forge(long at, int digit)
{
    char crc[4];
    int n = 0;
    text[at + digit] = DIGITS[15 - take_hex(text + at + digit, 1)];
    while (text[at + n] != '*')
        n++;
    put_hex(crc, crc16(text + at, n), 4);
    memcpy(text + at + n + 1, crc, 4);
}

static void flip_one_by_one(void)
{
    uint32_t state = 12345;
    int i, found = 0;
    char line[80];
    for (i = 0; i < 200; i++) {
        long at;
        int expected;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        at = (long)(state % (uint32_t)text_length);
        expected = line_of(at);
        text[at] = (char)(text[at] ^ (1 << i % 8));
        found += read_record() < 0 && wrong_line == expected;
        text[at] = (char)(text[at] ^ (1 << i % 8));
    }
    sprintf(line, "of 200 flipped bits %d are named by their line", found);
    expect(found == 200, line);
}

static void damage(void)
{
    const char *why = "";
    char line[120];
    long at;
    int bad = 0, differ, middle = step_count / 2;
    flip_one_by_one();

    text_length -= 40;
    expect(read_record() < 0, "a record without its end is named");
    text_length += 40;

    /* The device wrote an input that it did not take: line sound, hash not that of the step. */
    sprintf(line, "%d ", middle);
    at = find_line(line);
    forge(at, (int)strlen(line));
    differ = read_record() < 0 ? -1 : replay(1, &bad, &why);
    sprintf(line, "another input in step %d: step %d is the first that differs", middle, bad);
    expect(differ == 1 && bad == middle, line);
    forge(at, (int)(strchr(text + at, ' ') - (text + at)) + 1);

    /* An image whose bytes changed before it was sent: it has a checksum of its own. */
    if (image_count > 1) {
        middle = images[1].step;
        forge(images[1].at, 33);
        differ = read_record() < 0 ? -1 : replay(1, &bad, &why);
        sprintf(line, "another byte in the image of step %d: %s", bad, why);
        expect(differ == 1 && bad == middle, line);
        forge(images[1].at, 33);
    }
    expect(read_record() == 0 && replay(1, &bad, &why) == 0, "all undone: nothing differs");

    /* A bit flips in the device, which does not notice and goes on. */
    text_length = 0;
    middle = STEPS / 2 + 1;
    record(middle);
    differ = read_record() < 0 ? -1 : replay(0, &bad, &why);
    sprintf(line, "a bit of its memory flips in step %d: step %d is named, and then nothing", middle, bad);
    expect(differ == 1 && bad == middle, line);
}

static int read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    if (!f) {
        printf("cannot read %s\n", name);
        return -1;
    }
    text_length = (long)fread(text, 1, MOST_TEXT, f);
    fclose(f);
    return 0;
}

static int write_file(const char *name)
{
    FILE *f = fopen(name, "wb");
    long written = f ? (long)fwrite(text, 1, (size_t)text_length, f) : 0;
    if (f)
        fclose(f);
    printf("%s %s: %d steps, %ld bytes\n", written == text_length ? "wrote" : "could not write", name,
           STEPS, text_length);
    return 0;
}

/* Read, replay all; returns what differed, or 1 with the line that is damaged */
static int replay_text(void)
{
    const char *why;
    int bad, differ;
    if (read_record() < 0) {
        printf("  line %d: %s\n", wrong_line, wrong);
        return 1;
    }
    differ = replay(0, &bad, &why);
    printf("  largest residual %.1e m/s, in step %d\n", worst_residual, worst_step);
    return differ;
}

static int play_all(void)
{
    int code = record(0);
    if (code < 0) {
        printf("the device: %s\n", nsc_error_text(code));
        return 1;
    }
    write_file("build/recorder.log");
    printf("replayed:\n");
    failures += replay_text();
    printf("the step with the largest residual:\n");
    failures += dump(worst_step, "build/recorder_problem.txt");
    printf("damaged:\n");
    damage();
    if (failures == 0) printf("a device's record replayed to the same hash in each of %d steps; 200 flipped bits: each found, and named\n", (int)STEPS);
    return failures > 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "play";
    /* An image is loaded into a world that is initialised; setup() also gives the handles, which
       are the device's because it makes the same calls. */
    if (setup() < 0) {
        nsc_print_refusal(stdout, &world, nsc_world_last_refusal(&world).code);
        return 1;
    }
    memcpy(&other, &world, sizeof world);
    if (argc == 1)
        return play_all();
    if (argc == 2 && strcmp(what, "record") == 0) {
        int code = record(0);
        fwrite(text, 1, (size_t)text_length, stdout);
        return code < 0;
    }
    if (argc < 3 || read_file(argv[2]) < 0)
        return 2;
    if (strcmp(what, "damage") == 0 && read_record() == 0) {
        damage();
        return failures > 0;
    }
    if (argc == 3)
        return replay_text() > 0;
    if (read_record() < 0) {
        printf("line %d: %s\n", wrong_line, wrong);
        return 1;
    }
    return dump(atoi(argv[3]), argc > 4 ? argv[4] : "build/recorder_problem.txt");
}
#endif

/* nsc_svg.h: pictures are of numbers that a reader of SVG knows, wherever the eye and the bodies are */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_draw.h"
#define NSC_SVG_FACES 600
#define NSC_SVG_SHAPES 5
#include "nsc_svg.h"
#include "shapes.h"
#include "test.h"

static nsc_world world;
static nsc_svg svg;
static char text[1 << 17];
static unsigned hash = 2166136261u; /* of all pictures: says only that one has changed */
static int boxes; /* faces of one plane, and balls, of the last picture */

/* The box stands at x, the ball above it. */
static void build(nsc_real x)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.25));
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    body.pose.position.x = x;
    body.pose.position.z = NSC_R(0.5);
    CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &box) >= 0);
    body.pose.position.z = NSC_R(1.25);
    CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &ball) >= 0);
}

static int count(const char *word)
{
    const char *at = text;
    int n = 0;
    while ((at = strstr(at, word)) != NULL) {
        at++;
        n++;
    }
    return n;
}

static int dropped; /* what nsc_svg_world answered */

/* Draw as seen from `eye`; every word must be a number or a name. */
static void picture(const double *eye, const double *at)
{
    FILE *file = tmpfile();
    size_t n;
    CHECK(file != NULL);
    if (!file)
        return;
    nsc_svg_begin(&svg, file, 300, 200, "box");
    nsc_svg_look(&svg, eye[0], eye[1], eye[2], at[0], at[1], at[2]);
    dropped = nsc_svg_world(&svg, &world, 0, 0, 300, 200);
    CHECK(dropped == svg.dropped);
    nsc_svg_text(&svg, 10, 20, 12, "middle", "a box and a ball");
    nsc_svg_end(&svg);
    rewind(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    CHECK(n > 0 && n < sizeof text - 1);
    for (n = 0; text[n]; n++) hash = (hash ^ (unsigned char)text[n]) * 16777619u & 0xffffffffu;
    CHECK(count("nan") == 0 && count("inf") == 0);
    boxes = count("<path fill='#") + count("<circle cx") / 2;
}

#if NSC_TERRAIN /* not with the part alone */
/* Terrain is painted from back to front, before all else, and only where its upper side is seen; a plane adds nothing. */
static void ground(void)
{
    double eye[3] = {4, -6, 3}, below[3] = {4, -6, -3}, here[3] = {0, 0, 0.5};
    nsc_shape_def plane = nsc_default_half_space_def(), field = nsc_default_height_field_def();
    nsc_real heights[9], many[19 * 19];
    const char *first_path, *first_ball;
    int i, solid, terrain;
    build(0);
    picture(eye, here);
    solid = boxes;
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
    picture(eye, here);
    CHECK(boxes == solid && svg.terrain == 0);
    for (i = 0; i < 9; i++) heights[i] = (nsc_real)(0.01 * i * i);
    CHECK(world_add_field(&world, NSC_GROUND, &field, heights, 3, 3, 1, 1) >= 0);
    picture(eye, here);
    terrain = svg.terrain;
    CHECK(dropped == 0 && terrain == 8 && boxes == solid + terrain);
    for (i = NSC_SVG_FACES - terrain + 1; i < NSC_SVG_FACES; i++) CHECK(svg.face[i].depth <= svg.face[i - 1].depth);
    CHECK(svg.face[NSC_SVG_FACES - terrain].depth > svg.face[NSC_SVG_FACES - 1].depth + 0.5);
    first_path = strstr(text, "<path fill='#"), first_ball = strstr(text, "<circle cx");
    CHECK(first_path && first_ball && first_path < strstr(text, "filter='url(#soft)'") && strstr(text, "filter='url(#soft)'") < first_ball);
    picture(below, here);
    CHECK(svg.terrain == terrain && boxes == 4); /* two sides and the bottom of the box, and the ball */
    for (i = 0; i < 19 * 19; i++) many[i] = 0;
    build(0);
    CHECK(world_add_field(&world, NSC_GROUND, &field, many, 19, 19, (nsc_real)0.1, (nsc_real)0.1) >= 0);
    picture(eye, here);
    CHECK(dropped == 12 + 2 * 18 * 18 - NSC_SVG_FACES); /* with the box; of the ball no triangle is kept */
}
#endif

/* A ball on the far end of a long plate is painted after it, though the plate's centre is nearer to the eye, and a ball under it
   before. */
static void what_stands_on_a_plate_is_seen(void)
{
    double eye[3] = {0, -9, 3}, here[3] = {0, 0, 0};
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def plate = nsc_default_box_def((nsc_real)0.5, 4, (nsc_real)0.05);
    nsc_shape_def ball = nsc_default_sphere_def((nsc_real)0.25);
    int under;
    for (under = 0; under < 2; under++) {
        const char *face, *last = text;
        CHECK(nsc_world_init(&world, &def) == NSC_OK);
        body.pose.position.y = body.pose.position.z = 0;
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &plate) >= 0);
        body.pose.position.y = (nsc_real)(under ? -3.5 : 3.5);
        body.pose.position.z = (nsc_real)(under ? -0.3 : 0.3);
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &ball) >= 0);
        picture(eye, here);
        for (face = text; (face = strstr(face, "<path fill='#")) != NULL; face++) last = face;
        CHECK(strstr(text, "<circle") != NULL && (strstr(text, "<circle") < last) == under);
    }
}

/* There is room for five shapes: what a sixth has is counted. */
static void more_than_there_is_room_for(void)
{
    double eye[3] = {4, -6, 3}, here[3] = {0, 0, 0.5};
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def box = nsc_default_box_def((nsc_real)0.1, (nsc_real)0.1, (nsc_real)0.1);
    int i;
    build(0);
    for (i = 0; i < 4; i++) {
        body.pose.position.x = (nsc_real)(i - 2);
        body.pose.position.z = 2;
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &box) >= 0);
        picture(eye, here);
        CHECK(dropped == (i == 3 ? 12 : 0) && svg.shapes == (i == 3 ? 5 : i + 3));
    }
}

int main(void)
{
    double ahead[3] = {0, -1, 0.5};
    double here[3] = {0, 0, 0.5}, eye[3] = {4, -6, 3}, down[3] = {0, 0, 8}, odd[3] = {0, 0, 0};
    double low[3] = {2, 0, 1}, up[3] = {1.9, 0, 3}, zero = 0;
    int i, k;
    build(0);
    picture(eye, here);
    CHECK(boxes == 4 && dropped == 0); /* three faces and the ball */
    CHECK(count("<text x='10.0' y='20.0' font-size='12.0' text-anchor='middle' fill='#33404a'>a box and a ball</text>") == 1);
    picture(down, here); /* straight down there is no up: another direction stands in for it */
    CHECK(boxes == 2);
    CHECK(svg.shape[0].box[1] - svg.shape[0].box[0] > 10);
    picture(low, up); /* shadows fall behind the eye */
    CHECK(count("M0.0 0.0") + count("L0.0 0.0") + count(" 0.0 0.0") == 0);
    picture(here, here); /* it looks nowhere */
    CHECK(boxes == 0);
    for (i = 0; i < 3; i++)
        for (k = 0; k < 4; k++) {
            odd[0] = eye[0], odd[1] = eye[1], odd[2] = eye[2];
            odd[i] = k == 0 ? zero / zero : k == 1 ? 1 / zero : k == 2 ? 1e200 : 1e308;
            picture(odd, here);
            picture(eye, odd);
        }
    build(NSC_SQRT(NSC_REAL_MAX) * NSC_R(1e-3));
    picture(eye, here);
    build(NSC_R(1e9));
    picture(ahead, here); /* beside the picture, by more than its numbers can tell */
    CHECK(boxes == 0 && count("0000000") == 0);
#if NSC_TERRAIN
    ground();
#endif
    what_stands_on_a_plate_is_seen();
    more_than_there_is_room_for();
#if defined(__x86_64__) && NSC_TERRAIN /* elsewhere a*b+c may be rounded once, and a last digit differ */
    CHECK(hash == (sizeof(nsc_real) > 4 ? 3610914854u : 3791701138u));
#endif
    return TEST_END("svg");
}

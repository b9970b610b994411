/* nsc_svg.h: pictures are of numbers that a reader of SVG knows, wherever the eye and the bodies are */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_draw.h"
#define NSC_SVG_FACES 600
#include "nsc_svg.h"
#include "test.h"

static nsc_world world;
static nsc_svg svg;
static char text[1 << 17];
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
    CHECK(nsc_svg_world(&svg, &world, 0, 0, 300, 200) == 0);
    nsc_svg_end(&svg);
    rewind(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    CHECK(n > 0 && n < sizeof text - 1);
    CHECK(count("nan") == 0 && count("inf") == 0);
    boxes = count("<path fill='#") + count("<circle cx") / 2;
}

int main(void)
{
    double here[3] = {0, 0, 0.5}, eye[3] = {4, -6, 3}, down[3] = {0, 0, 8}, odd[3] = {0, 0, 0};
    double low[3] = {2, 0, 1}, up[3] = {1.9, 0, 3}, zero = 0;
    int i, k;
    build(0);
    picture(eye, here);
    CHECK(boxes == 4); /* three faces and the ball */
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
    return TEST_END("svg");
}

/* nsc_short.h - blocks of 200 bytes instead of 316 (in double 392, 616); a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_SHORT_BLOCKS.  Not with NSC_BARRIER, NSC_LOCKS, NSC_MAX_FORCES or NSC_MAX_ROWS.
   Beside it: nsc_solvers.h; with or without nsc.h.

   The twelve numbers of a row say little more than three: at the arms r_a and r_b of a block rows
   differ in their direction d alone.  Here a block holds nsc_block.d, (3 x 3) a direction in each
   row, in place of J, and a row is put together where it is wanted.
   Indices in it are of type short, nsc_place: a problem has at most 32 000 rows.
   The bits are the same.  The robot of examples/firmware/rover16.c takes 3 % more instructions with
   it at -Os on a Cortex-M4F, and 6 % at -O2.

   A block that you fill for nsc_problem_prepare gets d and `form`, and its arms:
       NSC_ROWS_AT_ARMS   the force on b is along d, at arm_b; that on a at arm_a; three d are
                          perpendicular unit vectors
       NSC_ROWS_TURN      the moment on b is along d
       NSC_ROWS_ANY       some rows so, others so: bit i of `turns` is 1 where row i is a moment
       NSC_ROWS_ONE       one row of any kind: d[0], d[1] are its halves for v_b, w_b; d[2], arm_a
                          those for v_a, w_a */
#ifndef NSC_SHORT_H
#define NSC_SHORT_H
#ifndef NSC_SHORT_BLOCKS
#error "nsc: set NSC_SHORT_BLOCKS 1 before nsc.h, which then includes nsc_short.h"
#endif

#if (defined(NSC_BARRIER) && NSC_BARRIER) || (defined(NSC_LOCKS) && NSC_LOCKS) || \
    (defined(NSC_MAX_FORCES) && NSC_MAX_FORCES > 0) || (defined(NSC_MAX_ROWS) && NSC_MAX_ROWS > 0)
#error "nsc: NSC_SHORT_BLOCKS needs no NSC_BARRIER, NSC_LOCKS, NSC_MAX_FORCES, NSC_MAX_ROWS"
#endif

enum { NSCI_APART = 3 };
#define nsci_has_axes(form) ((form) == NSC_ROWS_AT_ARMS || (form) == NSC_ROWS_TURN)
#define nsci_axes(k, form) ((void)(form), (k)->d[0])
#define nsci_turn_a(k, i) ((k)->d[i])
#define nsci_side_a -1
#define NSCI_PUT_ROW(k, i, axis, fill) nsci_put_vec((k)->d[i], axis)
#define nsci_find_form(k) ((k)->form & 3)
#define nsci_note_turn(k, i, turning) \
    ((k)->turns = (unsigned char)(((i) > 0 ? (k)->turns : 0) | (turning) << (i)))

/* Put row i together in `room`, which is returned. */
NSCI_ONE_COPY const nsc_real *nsci_row_of(const nsc_block *k, int i, nsc_real *room)
{
    const nsc_real *d = k->d[i];
    nsc_real *x = room + 6;
    if (k->form == NSC_ROWS_ONE) {
        NSCI_COPY3(room, k->d[2]);
        NSCI_COPY3(room + 3, k->arm_a);
        NSCI_COPY3(x, k->d[0]);
        NSCI_COPY3(x + 3, k->d[1]);
        return room;
    }
    if (k->form == NSC_ROWS_TURN || (k->form == NSC_ROWS_ANY && (k->turns >> i & 1))) {
        NSCI_COPY3(x, nsci_zero);
        NSCI_COPY3(room, nsci_zero);
        NSCI_COPY3(x + 3, d);
        NSCI_COPY3(room + 3, d);
    } else {
        NSCI_COPY3(x, d);
        nsci_put_cross(k->arm_b, d, x + 3);
        nsci_put_cross(k->arm_a, d, room + 3);
        room[0] = -d[0];
        room[1] = -d[1];
        room[2] = -d[2];
    }
    room[3] = -room[3];
    room[4] = -room[4];
    room[5] = -room[5];
    return room;
}

/* The same for its rows, 12 numbers each */
NSCI_INLINE const nsc_real *nsci_rows_of(const nsc_block *k, int rows, nsc_real *room)
{
    int i = 0;
    do
        nsci_row_of(k, i, room + 12 * i);
    while (++i < rows);
    return room;
}

/* Fill a block of one row with any 12 numbers. */
NSC_MAYBE_UNUSED static void nsci_put_one(nsc_block *k, const nsc_real *J)
{
    k->form = NSC_ROWS_ONE;
    NSCI_COPY3(k->d[2], J);
    NSCI_COPY3(k->arm_a, J + 3);
    NSCI_COPY3(k->d[0], J + 6);
    NSCI_COPY3(k->d[1], J + 9);
}

#endif

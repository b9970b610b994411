/* Of the slot pool, for contracts.c: what stands in a world about a kind of slots */
/*@ logic integer End(nsc_world *w, integer kind) =
  @     kind == NSCI_JOINT_HANDLE ? w->joint_end : kind == NSCI_SPRING_HANDLE ? w->spring_end :
  @     kind == NSCI_BODY_HANDLE ? w->body_end : w->shape_end;
  @ logic integer Generation(nsc_world *w, integer kind, integer i) =
  @     kind == NSCI_JOINT_HANDLE ? w->joints[i].generation : kind == NSCI_SPRING_HANDLE ? w->springs[i].generation :
  @     kind == NSCI_BODY_HANDLE ? w->bodies[i].generation : w->shapes[i].generation;
  @ predicate Ends(nsc_world *w) = 0 <= w->joint_end <= NSC_MAX_JOINTS && 0 <= w->spring_end <= NSC_MAX_SPRINGS &&
  @     0 <= w->body_end <= NSC_MAX_BODIES && 0 <= w->shape_end <= NSC_MAX_SHAPES;
  @ predicate Used(nsc_world *w, integer kind, integer i) = Generation(w, kind, i) % 2 == 1; */

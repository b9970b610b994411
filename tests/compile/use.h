/* Calls something of both headers; every case of the matrix includes this, links and runs. */
static int use_nsc(void)
{
    static nsc_world world;
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def ground = nsc_default_half_space_def(), ball = nsc_default_sphere_def(NSC_R(0.1));
    nsc_id id;
    int i, code = nsc_world_init(&world, &def);
    if (code < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return 1;
    body.pose.position.z = NSC_R(0.1);
    id = nsc_world_add_body(&world, &body);
    if (nsc_world_add_shape(&world, id, &ball) < 0) return 2;
    for (i = 0; i < 10; i++)
        if (nsc_world_step(&world, NSC_R(0.005)) != NSC_OK) return 3;
    if (nsc_world_contact_count(&world) != 1) return 4;
    return nsc_error_text(NSC_ERR_CONFIG)[0] ? 0 : 5;
}

// nsc in node and in browsers: const world = await nsc.World.create({gravity: [0, 0, -9.81]}).  Units SI, quaternions w x y z.
// What is refused throws an Error whose message names field, rule and value.
const node = typeof process !== 'undefined' && process.versions?.node;
let compiled;

async function load() {
  const address = new URL('nsc.wasm', import.meta.url);
  const bytes = node ? await (await import('node:fs/promises')).readFile(address) : await (await fetch(address)).arrayBuffer();
  return WebAssembly.compile(bytes);
}

const KINDS = {static: 1, kinematic: 2, dynamic: 3};
const SHAPES = {sphere: 1, capsule: 2, box: 4, halfSpace: 6};
const DRIVES = {none: 0, motor: 1, servo: 2, force: 3};
export const ground = 0;

function chosen(names, name) {
  if (!(name in names)) throw new Error(`${name} is none of ${Object.keys(names).join(', ')}`);
  return names[name];
}

export class World {
  static async create({gravity = [0, 0, -9.81], substeps = 1, iterations = 100} = {}) {
    compiled ??= load();
    const world = new World();
    world.c = (await WebAssembly.instantiate(await compiled, {})).exports;
    world.out = new Float32Array(world.c.memory.buffer, world.c.numbers(), 16);
    world.must(world.c.init(...gravity, substeps, iterations));
    return world;
  }
  text(at) {
    const bytes = new Uint8Array(this.c.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }
  must(code) {
    if (code >= 0) return code;
    const field = this.text(this.c.refused_field());
    throw new Error(field ? `${field} should be ${this.text(this.c.refused_rule())}, and is ${this.c.refused_value()}`
                          : this.text(this.c.error_text(code)));
  }
  addBody({kind = 'dynamic', position = [0, 0, 0]} = {}) { return this.must(this.c.add_body(chosen(KINDS, kind), ...position)); }
  removeBody(body) { this.must(this.c.remove_body(body)); }
  // shape: 'sphere', 'capsule', 'box', 'halfSpace'; half: of a box [x, y, z], of a capsule its half length
  addShape(body, shape, {radius = 0, half = [0, 0, 0], density = 1000, friction = 0.5, restitution = 0} = {}) {
    const [x, y, z] = Array.isArray(half) ? half : [0, 0, half];
    return this.must(this.c.add_shape(body, chosen(SHAPES, shape), radius, x, y, z, density, friction, restitution));
  }
  addHinge(a, b, point, axis) { return this.must(this.c.add_hinge(a, b, ...point, ...axis)); }
  drive(joint, kind, {target = 0, velocity = 0, stiffness = 0, damping = 0, maxForce = 3.4e38} = {}) {
    this.must(this.c.drive(joint, chosen(DRIVES, kind), target, velocity, stiffness, damping, maxForce));
  }
  joint(joint) {
    this.must(this.c.joint(joint));
    return {position: this.out[0], velocity: this.out[1], drive: this.out[2]};
  }
  step(h, steps = 1) { return this.must(this.c.step(h, steps)); }
  pose(body) {
    this.must(this.c.pose(body));
    return {position: [...this.out.subarray(0, 3)], orientation: [...this.out.subarray(3, 7)]};
  }
  velocity(body) {
    this.must(this.c.velocity(body));
    return {linear: [...this.out.subarray(0, 3)], angular: [...this.out.subarray(3, 6)]};
  }
  setVelocity(body, linear, angular = [0, 0, 0]) { this.must(this.c.set_velocity(body, ...linear, ...angular)); }
  // {body, point, normal, distance} of the first surface from origin to origin + ray, or null
  castRay(origin, ray) {
    const body = this.c.cast_ray(...origin, ...ray);
    if (body === -100) return null;
    if (body < 0) throw new Error(this.text(this.c.error_text(body)));
    return {body, point: [...this.out.subarray(0, 3)], normal: [...this.out.subarray(3, 6)], distance: this.out[6]};
  }
  get residual() { return this.c.residual(); }
  get contacts() { return this.c.contacts(); }
  get hash() { return (this.c.hash() >>> 0).toString(16).padStart(8, '0'); }
  keep() { this.c.keep(); } // a snapshot
  back() { this.c.back(); } // and back to it
  selfcheck() { return this.c.selfcheck(); } // 0: the bits are those of every other machine.  It overwrites the world.
}

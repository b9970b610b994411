export type Vec = [number, number, number];
export const ground: 0;
export class World {
  static create(options?: {gravity?: Vec; substeps?: number; iterations?: number}): Promise<World>;
  addBody(options?: {kind?: 'static' | 'kinematic' | 'dynamic'; position?: Vec}): number;
  removeBody(body: number): void;
  addShape(body: number, shape: 'sphere' | 'capsule' | 'box' | 'halfSpace',
           options?: {radius?: number; half?: Vec | number; density?: number; friction?: number; restitution?: number}): number;
  addHinge(a: number, b: number, point: Vec, axis: Vec): number;
  drive(joint: number, kind: 'none' | 'motor' | 'servo' | 'force',
        options?: {target?: number; velocity?: number; stiffness?: number; damping?: number; maxForce?: number}): void;
  joint(joint: number): {position: number; velocity: number; drive: number};
  step(h: number, steps?: number): number;
  pose(body: number): {position: Vec; orientation: [number, number, number, number]};
  velocity(body: number): {linear: Vec; angular: Vec};
  setVelocity(body: number, linear: Vec, angular?: Vec): void;
  castRay(origin: Vec, ray: Vec): {body: number; point: Vec; normal: Vec; distance: number} | null;
  readonly residual: number;
  readonly contacts: number;
  readonly hash: string;
  keep(): void;
  back(): void;
  selfcheck(): number;
}

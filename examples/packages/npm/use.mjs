// A project that uses the package: the box of 01_drop.c has the hash that the same calls have in C; back to a snapshot; refusals.
import {World, ground} from 'nsc';
const world = await World.create();
if (world.selfcheck() !== 0) throw new Error('this machine computes other bits');
const drop = await World.create();
drop.addShape(ground, 'halfSpace');
const box = drop.addBody({position: [0, 0, 2]});
drop.addShape(box, 'box', {half: [0.5, 0.5, 0.5]});
drop.setVelocity(box, [1, 0, 0]);
drop.step(1 / 240, 240);
drop.keep();
drop.step(1 / 240, 240);
const once = drop.hash;
drop.back();
drop.step(1 / 240, 240);
if (drop.hash !== once) throw new Error('a snapshot goes another way');
const hit = drop.castRay([drop.pose(box).position[0], 0, 5], [0, 0, -9]);
if (hit?.body !== box || Math.abs(hit.point[2] - 1) > 0.001) throw new Error(`a ray meets ${JSON.stringify(hit)}`);
const other = await World.create({gravity: [0, 0, 0]});
const arm = other.addBody({position: [1, 0, 0]});
other.addShape(arm, 'sphere', {radius: 0.1});
const hinge = other.addHinge(ground, arm, [0, 0, 0], [0, 0, 1]);
other.drive(hinge, 'servo', {target: 0.5, stiffness: 200, damping: 40});
other.step(1 / 240, 2400);
if (Math.abs(other.joint(hinge).position - 0.5) > 0.001) throw new Error(`the servo stands at ${other.joint(hinge).position}`);
let said = '';
try { drop.addShape(box, 'sphere', {radius: -1}); } catch (error) { said = error.message; }
if (!said.startsWith('nsc_shape_def.radius should be')) throw new Error(`a radius of -1: ${said}`);
console.log(`hash ${once}`);

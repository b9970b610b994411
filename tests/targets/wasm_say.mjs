// Runs main of a wasm module that imports say(what, a, b, value), in node.
import fs from 'fs';
let memory;
const text = (p) => {
  const bytes = new Uint8Array(memory.buffer, p);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
};
const say = (what, a, b, value) =>
  console.log(`${text(what)} ${text(a)} ${text(b)} ${(value >>> 0).toString(16).padStart(8, '0')}`);
const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const instance = new WebAssembly.Instance(module, { env: { say } });
memory = instance.exports.memory;
process.exit(instance.exports.main());

// Runs an image for a bare RP2040 in rp2040js, which has no boot ROM, one core and no FIFO between
// two.  The memory, the UART and the instructions are rp2040js's.  From here come a second object of
// its core on the same bus, the FIFOs, CPUID, and what core 1's boot ROM does: it echoes six words
// and begins.  The core that is behind in cycles goes next.
// usage: node rp2040.mjs DIRECTORY-OF-NODE_MODULES IMAGE.elf
import fs from 'fs';
import path from 'path';
import { createRequire } from 'module';
const { RP2040 } = createRequire(path.resolve(process.argv[2], 'x.js'))('rp2040js');

const chip = new RP2040();
const quiet = () => {};
const complain = (name, text) => {
  console.log(`${name}: ${text}`);
  process.exit(1);
};
chip.logger = { debug: quiet, info: quiet, warn: complain, error: complain };
const cores = [chip.core, new chip.core.constructor(chip)];
const fifo = [[], []]; // what each core reads
const told = []; // words of core 1's boot
let running = true;
let line = '';

// each loaded part of the image, where it is stored
const elf = fs.readFileSync(process.argv[3]);
for (let i = 0; i < elf.readUInt16LE(44); i++) {
  const at = elf.readUInt32LE(28) + i * elf.readUInt16LE(42);
  const [type, from, , to, size] = [0, 4, 8, 12, 16].map((field) => elf.readUInt32LE(at + field));
  if (type === 1 && size > 0) chip.flash.set(elf.subarray(from, from + size), to - 0x10000000);
}

const sio = chip.sio;
const read = sio.readUint32.bind(sio);
const write = sio.writeUint32.bind(sio);
sio.readUint32 = (offset) => {
  const me = cores.indexOf(chip.core);
  const [mine, others] = [fifo[me], fifo[1 - me]];
  if (offset === 0) return me;
  if (offset === 0x50) return (mine.length > 0 ? 1 : 0) | (others.length < 8 ? 2 : 0);
  return offset === 0x58 ? mine.shift() : read(offset);
};
const push = (to, word) => {
  fifo[to].push(word >>> 0);
  cores[to].eventRegistered = true; // of SEV, which rp2040js takes for nothing
  if (cores[to].waiting) cores[to].cycles = chip.core.cycles; // its clock went on
  cores[to].waiting = false;
};
sio.writeUint32 = (offset, word) => {
  if (offset !== 0x54) return write(offset, word);
  const to = 1 - cores.indexOf(chip.core);
  if (to === 0 || told.length === 6) return push(to, word);
  told.push(word >>> 0);
  push(0, word);
  if (told.length === 6) {
    if (told[0] !== 0 || told[1] !== 0 || told[2] !== 1) complain('boot', told);
    [cores[1].VTOR, cores[1].SP, cores[1].PC] = [told[3], told[4], (told[5] & ~1) >>> 0];
    cores[1].cycles = cores[0].cycles;
    cores[1].waiting = false;
  }
};

chip.uart[0].onByte = (byte) => {
  if (byte !== 10) {
    line += String.fromCharCode(byte);
    return;
  }
  console.log(line);
  line = '';
};
chip.onBreak = () => { running = false; };
cores[0].VTOR = 0x10000000;
cores[0].reset();
cores[1].waiting = true;
const count = [0, 0];
while (running) {
  const first = cores[1].waiting || cores[0].cycles <= cores[1].cycles;
  const next = first && !cores[0].waiting ? 0 : 1;
  const [core, other] = [cores[next], cores[1 - next]];
  chip.core = core;
  if (core.waiting) complain('cores', 'both wait');
  do {
    core.executeInstruction();
    count[next]++;
  } while (other.waiting && running && !core.waiting);
}
console.log(`instructions: core 0 ${count[0]}, core 1 ${count[1]}`);

// Loads the module built from web.c and lets its pyramid settle for 2 s.
// In node: node web.mjs build/firmware/web.wasm     In a browser: <script type="module" src="web.mjs"></script>, with
// web.wasm beside it; the lines come out on the console.
const node = typeof process !== 'undefined';

async function load(address) {
  const bytes = node ? await (await import('node:fs/promises')).readFile(address)
                     : await (await fetch(address)).arrayBuffer();
  return (await WebAssembly.instantiate(bytes, {})).instance.exports;
}

function must(what, code) { if (code !== 0) throw new Error(`${what}: code ${code}`); }

async function main() {
  const nsc = await load(node ? process.argv[2] ?? 'web.wasm' : new URL('web.wasm', import.meta.url));
  must('selfcheck', nsc.selfcheck());
  must('init', nsc.init());
  // A view of the module's own memory: step() rewrites it, nothing is copied.  (It would go stale if the memory grew;
  // nsc never makes it grow.)
  const pose = new Float32Array(nsc.memory.buffer, nsc.poses(), 7 * nsc.body_count());
  must('step', nsc.step(456)); // 1.9 s
  const before = pose.slice();
  must('step', nsc.step(24)); // 0.1 s: at rest nothing moves by a tenth of a millimetre
  const moved = Math.max(...pose.map((x, i) => Math.abs(x - before[i])));
  let off = 0, body = 0;
  for (let row = 0; row < 4; row++)
    for (let i = 0; i < 4 - row; i++, body++) {
      const [x, y, z] = pose.subarray(7 * body, 7 * body + 3);
      off = Math.max(off, Math.abs(x - 0.6 * i - 0.3 * row), Math.abs(y), Math.abs(z - 0.25 - 0.5 * row));
      if (i === 0) console.log(`row ${row}  box ${body}  at ${[x, y, z].map((v) => v.toFixed(4)).join(' ')} m`);
    }
  const ok = off < 0.005 && moved < 0.0001;
  console.log(`${ok ? 'at rest' : 'NOT at rest'}: off by ${(1e3 * off).toFixed(2)} mm, moved ${(1e3 * moved).toFixed(3)} mm in 0.1 s`);
  if (!ok) throw new Error('the pyramid does not stand');
}

main().catch((error) => { console.error(String(error)); if (node) process.exitCode = 1; });

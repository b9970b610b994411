// Put into test.html by make.sh: what the page does, tried by the page itself.  test.sh reads the lines.
async function test() {
  const lines = [], say = (line) => lines.push(line);
  let clock = 0;
  const run = (seconds) => { for (let i = 0; i < Math.round(seconds * 60); i++) if (!frame(clock += 1000 / 60)) return; };
  const check = (what, ok, detail = '') => say(`${ok ? 'ok' : 'FAILED'} ${what}${detail && ` (${detail})`}`);
  const pointer = (kind, id, [x, y]) => $('view').dispatchEvent(new PointerEvent(kind, { pointerId: id, clientX: x, clientY: y, bubbles: true }));
  const press = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  const frameNow = () => frame(clock += 1000 / 60);
  try {
    check('the page has WebGL and draws', !!gl && frameNow() && gl.getError() === 0);
    wake();
    const row = new Uint8Array(4 * gl.drawingBufferWidth);
    draw();
    gl.readPixels(0, gl.drawingBufferHeight >> 1, gl.drawingBufferWidth, 1, gl.RGBA, gl.UNSIGNED_BYTE, row);
    const colours = new Set(new Uint32Array(row.buffer));
    check('and not one colour', colours.size > 8, `${colours.size} in a row`);
    say(`draws ${nsc.vertex_count()} corners, ${nsc.line_count()} strokes`);
    const context = gl;
    gl = null; // software draws slowly: from here on all but the drawing

    // 600 steps of each scene, one by one as a frame makes them
    for (let i = 0; i < names.length; i++) {
      choose(i);
      for (let k = 0; k < 600; k++) if (!step()) break;
      say(`hash ${names[i]} ${hex(nsc.hash())}`);
      showNumbers(measured());
      check(`${names[i]} says that the bits are the native ones`, $('bits').className === 'same', $('bits').textContent);
    }

    // Time: a frame after a minute makes 50 ms of steps, no more; a pause makes none
    choose(0);
    frameNow();
    let before = measured()[STEPS];
    frame(clock += 60000);
    let made = measured()[STEPS] - before;
    check('a tab hidden for a minute does not catch up', made > 0 && made <= 13, `${made} steps`);
    press(' ');
    before = measured()[STEPS];
    run(.5);
    check('the space bar pauses', !running && measured()[STEPS] === before);
    press('s');
    check('s makes one step', measured()[STEPS] === before + 1);
    press('r');
    check('r begins anew', measured()[STEPS] === 0 && running);
    press('4');
    check('4 takes the fourth scene', scene === 3);
    before = wanted.yaw;
    press('ArrowLeft');
    check('an arrow turns the camera', wanted.yaw !== before);

    // The mouse: the ball of the first scene is pulled and thrown; the rest does not move
    choose(0);
    run(.1);
    const ball = 11, stood = where(ball), at = toPage(stood);
    pointer('pointerdown', 1, at);
    check('a press on a body grabs it', nsc.holds() === 1);
    for (let i = 1; i <= 30; i++) {
      pointer('pointermove', 1, [at[0] + 4 * i, at[1] - 5 * i]);
      frameNow();
    }
    const pulled = where(ball);
    check('a drag moves it', pulled[2] > stood[2] + .3, `up ${(pulled[2] - stood[2]).toFixed(2)} m`);
    pointer('pointerup', 1, at);
    check('letting go lets go', nsc.holds() === 0);
    run(.15);
    check('and throws it', Math.hypot(...sub(where(ball), pulled)) > .05);
    run(2);
    check('it falls and comes to rest on the floor', Math.abs(where(ball)[2] - .3) < .01, `z ${where(ball)[2].toFixed(3)} m`);
    before = eye.yaw;
    const still = where(1);
    pointer('pointerdown', 1, [20, innerHeight - 240]);
    check('a press on the ground grabs nothing', nsc.holds() === 0);
    pointer('pointermove', 1, [90, innerHeight - 240]);
    pointer('pointerup', 1, [90, innerHeight - 240]);
    run(.5);
    check('it turns the camera', Math.abs(eye.yaw - before) > .2);
    check('and no body', Math.hypot(...sub(where(1), still)) < 1e-4);
    before = eye.far;
    pointer('pointerdown', 1, [100, 300]);
    pointer('pointerdown', 2, [200, 300]);
    pointer('pointermove', 2, [300, 300]);
    pointer('pointerup', 1, [100, 300]);
    pointer('pointerup', 2, [300, 300]);
    run(.5);
    check('two fingers bring it nearer', eye.far < .8 * before && eye.far > .3 * before, `${before.toFixed(2)} to ${eye.far.toFixed(2)} m`);

    // Every scene can be pulled about hard, and stays finite
    for (let i = 0; i < names.length; i++) {
      choose(i);
      run(.1);
      look();
      const p = toPage(names[i] === 'sheet' ? [0, .2, .7] : where(Math.min(3, i === 6 ? 1 : 3)));
      pointer('pointerdown', 1, p);
      const held = nsc.holds();
      for (let k = 0; k < 40; k++) {
        pointer('pointermove', 1, [p[0] + 150 * Math.sin(k / 3), p[1] - 100 * Math.abs(Math.sin(k / 5))]);
        frameNow();
      }
      pointer('pointerup', 1, p);
      run(.2);
      check(`${names[i]} can be pulled about`, held && running && where(1).every(Number.isFinite), $('problem').textContent);
    }

    // Every solver with every law, stepper and contact: it steps, or says why not
    let tried = 0, refused = 0, silent = [];
    for (const i of [0, 2, 5]) {
      for (const solver of Object.keys(settings[0][1])) for (const law of Object.keys(settings[1][1]))
        for (const stepper of Object.keys(settings[3][1])) for (const contact of [0, 2]) {
          if (Number(law) > 1 && Number(stepper) > 2) continue; // law and stepper do not meet; keep it short
          choose(i);
          for (const [k, value] of [[0, solver], [1, law], [4, contact], [3, stepper]]) {
            change(k, Number(value));
            if (!$('problem').hidden) break;
          }
          if ($('problem').hidden) step();
          tried++;
          if (!$('problem').hidden) {
            refused++;
            if ($('problem').textContent.length < 20) silent.push(`${names[i]} ${solver} ${law} ${stepper} ${contact}`);
          }
          if (!where(1).every(Number.isFinite)) silent.push(`${names[i]} ${solver} ${law} ${stepper} ${contact} is not finite`);
        }
    }
    check('what is refused is said in the words of the library', refused > 0 && !silent.length, `${refused} of ${tried}; ${silent.slice(0, 3)}`);
    choose(2);
    change(3, 6);
    say(`text ${$('problem').textContent}`);
    check('and the page shows what is in force', $('set3').value === '1' && !$('problem').hidden);
    gl = context;
    check('it still draws', frameNow() && gl.getError() === 0);
    gl = null;
    choose(6);
    for (let k = 1; k <= 7; k++) {
      change(3, k);
      run(.1);
      check(`stepper ${k} while it runs`, running && $('problem').hidden && chosen()[3] === k, $('problem').textContent);
    }
  } catch (error) {
    say(`FAILED ${error.stack}`);
  }
  say(`took ${Math.round(performance.now())} ms`);
  const report = document.createElement('pre');
  report.id = 'report';
  report.textContent = `\nbegin\n${lines.join('\n')}\nend\n`;
  document.body.append(report);
  document.title = 'done';
}

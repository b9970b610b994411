const ROBOTS = {/*ROBOTS*/}; // tables of tests/robots, by name
// Put into test.html by make.sh: what the page does, tried by the page itself.  test.sh reads the lines.
// #test: everything; #test,small: what a telephone's size may change; #test,low: what its lying on its side may.
async function test(part) {
  const lines = [], say = (line) => lines.push(line);
  let clock = 0;
  const run = (seconds) => { for (let i = 0; i < Math.round(seconds * 60); i++) if (!frame(clock += 1000 / 60)) return; };
  const check = (what, ok, detail = '') => say(`${ok ? 'ok' : 'FAILED'} ${what}${detail && ` (${detail})`}`);
  const pointer = (kind, id, [x, y]) => $('view').dispatchEvent(new PointerEvent(kind, { pointerId: id, clientX: x, clientY: y, bubbles: true }));
  const press = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  const frameNow = () => frame(clock += 1000 / 60);
  const drop = async (source) => {
    const before = taken;
    const transfer = new DataTransfer();
    transfer.items.add(new File([source], 'robot.h'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    tell('');
    for (let k = 0; k < 1000 && taken === before; k++) await new Blob(['time of its own, for that of timers is not real here']).text();
  };

  // Every control that is shown can be reached: in the window, and nothing over its middle.  What scrolls is scrolled there.
  const reach = (what, within) => {
    const lost = [], least = NARROW.matches || LOW.matches ? 32 : 16; // a finger's, a mouse's
    for (const e of document.querySelectorAll(within)) {
      if (!e.offsetParent && getComputedStyle(e).position !== 'fixed') continue;
      e.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const target = e.closest('label') ?? e, r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2, over = document.elementFromPoint(x, y);
      if (r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1) lost.push(`${e.id || e.textContent} is outside`);
      else if (!over || !(e.contains(over) || over.contains(e))) lost.push(`${e.id || e.textContent} is under ${over?.id || over?.tagName}`);
      else if (Math.max(r.height, target.getBoundingClientRect().height) < least) lost.push(`${e.id || e.textContent} is ${r.height.toFixed(0)} pixels high`);
    }
    const small = [...document.querySelectorAll('button, label, p, dd, dt, summary, figcaption')].filter((e) => e.offsetParent && parseFloat(getComputedStyle(e).fontSize) < 12);
    check(`${what}: every control can be reached, no text below 12 pixels`, !lost.length && !small.length && document.documentElement.scrollWidth <= innerWidth,
      [`${innerWidth} x ${innerHeight}`, ...lost, ...small.map((e) => `${e.id || e.tagName} is small`)].join('; '));
  };

  // Links: each scene's, and robots that came as files; the state, the sliders and the steps after it are the same
  async function links() {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: (words) => Promise.reject(new Error(words)) } }); // it would ask its user
    let longest = 0;
    for (let i = 0; i < names.length; i++) {
      choose(i);
      for (let k = 0; k < 100; k++) step();
      const before = hex(nsc.hash()), to = await link();
      longest = Math.max(longest, to.length);
      choose((i + 1) % names.length);
      await openLink(...to.split(',').slice(1));
      check(`a link brings back ${names[i]}`, hex(nsc.hash()) === before && scene === i && measured()[STEPS] === 100, `${to.length} letters`);
    }
    check('and the longest leaves room', longest < LONGEST / 2, `${longest} of ${LONGEST} letters`);
    choose(names.indexOf('dominoes'));
    const plain = await link();
    await openLink(plain.split(',')[1].slice(0, 900));
    check('a damaged one is refused', !$('problem').hidden, $('problem').textContent);
    let robots = {}, shared;
    for (const [name, source] of Object.entries(ROBOTS)) {
      await drop(source);
      const sliders = [...$('sliders').querySelectorAll('input')], one = sliders[1];
      for (let k = 0; k < 60; k++) step();
      one.value = Number(one.min) + .6 * (one.max - one.min);
      one.dispatchEvent(new Event('input')); // and no step: the link has it all the same
      const aim = one.value, before = hex(nsc.hash());
      await share();
      shared = location.hash;
      robots[name] = shared;
      check(`${name} goes into a link`, $('problem').hidden && /your robot included/.test($('said').textContent), $('said').textContent);
      for (let k = 0; k < 120; k++) step();
      const after = hex(nsc.hash()), moved = jointAt(Number(one.parentElement.dataset.joint))[4];
      useRobot(null);
      choose(0);
      await openLink(...shared.split(',').slice(1));
      const back = [...$('sliders').querySelectorAll('input')][1];
      check(`and comes out of it`, $('problem').hidden && ownRobot?.name === name && hex(nsc.hash()) === before && measured()[STEPS] === 60 &&
        $('sliders').children.length === sliders.length && Math.abs(back.value - aim) < 1e-5, `${ownRobot?.joints.length} joints; ${$('problem').textContent}`);
      for (let k = 0; k < 120; k++) step();
      check('and goes on with the same bits', hex(nsc.hash()) === after && jointAt(Number(back.parentElement.dataset.joint))[4] === moved);
      say(`link ${name} ${shared}`);
    }
    const [, state, robot] = shared.split(','), other = robots.quadruped.split(',')[2];
    for (const [what, parts, words] of [['a damaged robot', [state, robot.slice(0, 300)], /damaged/], ['no robot', [state, await fold(new TextEncoder().encode('[1,[],[]]'))], /damaged/],
      ['a state of another robot', [state, other], /does not fit the robot in it/], ['a robot that is none', [state, await fold(new TextEncoder().encode('["x",[],[99,0,0,0,0,0]]'))], /No robot/]]) {
      await openLink(...parts);
      check(`${what} in a link is refused`, words.test($('problem').textContent), $('problem').textContent);
      press('r');
      run(.1);
      check('and the page goes on', running && where(1).every(Number.isFinite));
    }
    await openLink(state);
    check('a state whose robot is missing is refused', /has none in it/.test($('problem').textContent) && !ownRobot, $('problem').textContent);
    await drop(ROBOTS.arm.replace('"arm"', `"${Array.from({ length: 60000 }, (_, i) => (i * i * 2654435761 % 4294967296).toString(36)).join('')}"`));
    await share();
    check('what is too long for a link is said', /letters, .* of them the robot/.test($('problem').textContent), $('problem').textContent);
    const way = globalThis.CompressionStream;
    globalThis.CompressionStream = undefined;
    await drop(ROBOTS.arm);
    const uncompressed = await link();
    globalThis.CompressionStream = way;
    useRobot(null);
    await openLink(...uncompressed.split(',').slice(1));
    check('a browser that cannot compress makes longer ones', ownRobot?.name === 'arm' && $('problem').hidden && uncompressed[6] === '.', `${uncompressed.length} letters`);
    useRobot(null);
    history.replaceState(null, '', '#test');
  }

  // What lies where, in this window
  async function places() {
    const narrow = NARROW.matches;
    choose(names.indexOf('heap'));
    run(.2);
    reach('the page', '#panel button, #panel select, #panel input:not([type=file]), #panel summary');
    const seen = $('scenes').children[names.length - 1];
    choose(names.length - 1);
    const box = seen.getBoundingClientRect();
    check('the chosen scene is in view', box.left >= 0 && box.right <= innerWidth);
    if (narrow) $('fold').click();
    await drop(ROBOTS.quadruped);
    run(.2);
    reach('with a robot', '#panel button, #panel select, #panel input:not([type=file]), #panel summary');
    if (narrow) $('fold').click();
    showCode(true);
    reach('with code', narrow || LOW.matches ? '#transport button, #hide' : '#panel button, #hide');
    showCode(false);
    useRobot(null);
    choose(0);
  }

  try {
    if (part === 'small' || part === 'low') {
      gl = null;
      await places();
      look();
      const free = (view.w - view.right) * (view.h - view.top - view.bottom) / (view.w * view.h);
      if (part === 'low') return check('more than a third of the window is left to the scene', LOW.matches && free > 1 / 3, `${(100 * free).toFixed()} %`);
      await links();
      return;
    }
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
    look();
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
      const p = toPage(names[i] === 'sheet' ? [0, .2, .7] : where({ dzhanibekov: 1, disk: 1, toss: 1, robot: 5 }[names[i]] ?? 3));
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

    // Snapshots: back by one step and by the slider, and on again, to the same bits
    for (const name of ['rover', 'heap', 'sheet']) {
      choose(names.indexOf(name));
      const hashes = [hex(nsc.hash())];
      for (let k = 1; k <= 60; k++) { step(); hashes.push(hex(nsc.hash())); }
      press('b');
      const one = hex(nsc.hash()) === hashes[59] && measured()[STEPS] === 59 && !running;
      showNumbers(measured());
      $('past').value = 20;
      $('past').dispatchEvent(new Event('input'));
      const far = hex(nsc.hash()) === hashes[20] && measured()[STEPS] === 20;
      for (let k = 21; k <= 60; k++) step();
      check(`${name} is rewound`, one && far && hex(nsc.hash()) === hashes[60], `${past.length} snapshots, ${(pastBytes / 1e6).toFixed(1)} MB`);
    }

    // More bodies
    choose(0);
    const count = () => nsc.vertex_count();
    nsc.draw(0);
    before = count();
    press('t');
    for (let k = 0; k < 4; k++) press('a');
    nsc.draw(0);
    check('bodies are thrown and added', count() > before && $('problem').hidden, `${before} to ${count()} corners`);
    run(.5);
    check('and the scene goes on', running && where(1).every(Number.isFinite));
    for (let k = 0; k < 300; k++) add();
    check('no room for more is said', !$('problem').hidden, $('problem').textContent);

    await links();
    await places();

    // The code of each scene
    const bare = names.filter((name) => !/nsc_world_add_|put\(|nsc_robot_add/.test(codeOf(name)) || codeOf(name).length > 9000);
    check('each scene has its code', !bare.length, bare.join(' '));
    choose(2);
    press('c');
    check('c shows it', !$('code').hidden && $('code').textContent.includes('control_quadruped'));
    $('hide').click();
    check('and a click hides it', $('code').hidden);

    // The robot: sliders, and tables that are dropped
    choose(names.indexOf('robot'));
    run(.2);
    const sliders = [...$('sliders').querySelectorAll('input')];
    check('joints have sliders', sliders.length === 8 && !$('joints').hidden, `${sliders.length}`);
    sliders[1].value = .5;
    sliders[1].dispatchEvent(new Event('input'));
    run(2);
    check('a slider moves its joint', Math.abs(jointAt(1)[4] - .5) < .02, `${jointAt(1)[4].toFixed(3)} rad`);
    check('which is plotted', bins.length > 100 && Math.abs(bins[bins.length - 1][4] - .5) < .02);
    for (const [name, source] of Object.entries(ROBOTS)) {
      await drop(source);
      const good = $('problem').hidden, all = measured()[JOINTS], moving = $('sliders').children.length;
      for (let k = 0; k < 600; k++) if (!step()) break;
      say(`hash dropped_${name} ${hex(nsc.hash())}`);
      if (name === 'quadruped') check('it stands, although its knees cannot be straight', where(1)[2] > .3 && measured()[RESIDUAL] < 1e-4, `trunk at ${where(1)[2].toFixed(3)} m`);
      check(`${name} is dropped as a file`, good && running && ownRobot?.name === name, `${all} joints, ${moving} sliders; ${$('problem').textContent}`);
    }
    for (const [what, source] of [['a letter', 'Dear robot,'], ['a URDF file', '<robot name="x"/>'], ['half a table', ROBOTS.quadruped.slice(0, 9000)],
      ['a table with a foreign word', ROBOTS.quadruped.replace('NSC_JOINT_HINGE', 'NSC_JOINT_HEDGE')],
      ['a table of a link that is none', ROBOTS.quadruped.replace('NSC_JOINT_HINGE, 0, 0, 1', 'NSC_JOINT_HINGE, 0, 0, 99')]]) {
      await drop(source);
      check(`${what} is refused`, !$('problem').hidden && $('problem').textContent.length > 20, $('problem').textContent);
    }
    choose(names.indexOf('robot'));
    run(.2);
    check('and the page goes on', running && $('problem').hidden);

    choose(names.indexOf('heap'));
    run(1);
    showNumbers(measured());
    check('what a step takes on an M4F is said', /M instructions/.test($('numbers').textContent), m4f(measured()));
    choose(0);
    run(2);
    say(`text stack: ${m4f(measured())}, ${measured()[BLOCKS]} blocks, ${measured()[ITERATIONS]} sweeps`);

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
  } finally {
    say(`took ${Math.round(performance.now())} ms`);
    const report = document.createElement('pre');
    report.id = 'report';
    report.textContent = `\nbegin\n${lines.join('\n')}\nend\n`;
    document.body.append(report);
    parent.postMessage(report.textContent, '*'); // to the page that is as wide as a telephone
    document.title = 'done';
  }
}

"use strict";
// Draws motions: a skin that joints move, its shadow and lines on the ground, with WebGL and nothing else.

const FLOOR = [0.925, 0.937, 0.945], LINES = [0.78, 0.80, 0.82], SHADOW = [0.80, 0.815, 0.83], BODY = [0.90, 0.69, 0.40];
const SUN = [0.2, -0.75, 0.75]; // where the light comes from: from the left of who looks
const FAR_LINES_M = 12; // where lines have faded away
const KINDS = { int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array };

async function unpack(text, kind) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const opened = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new KINDS[kind](await new Response(opened).arrayBuffer());
}

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

const VERTEX = `
attribute vec3 position; attribute vec3 normal;
uniform mat4 view; uniform float flat_; uniform mediump vec3 sun; uniform vec2 middle;
varying vec3 facing; varying float away;
void main() {
  vec3 at = flat_ > 0.5 ? vec3(position.xy - sun.xy / sun.z * position.z, 0.0) : position;
  facing = normal; away = distance(at.xy, middle);
  gl_Position = view * vec4(at, 1.0);
}`;
const FRAGMENT = `
precision mediump float;
uniform vec3 color; uniform vec3 fading; uniform float lit; uniform float far; uniform vec3 sun;
varying vec3 facing; varying float away;
void main() {
  if (lit > 0.5) {
    vec3 n = normalize(facing);
    float light = 0.50 + 0.14 * n.z + 0.46 * max(dot(n, sun), 0.0);
    gl_FragColor = vec4(pow(color * light, vec3(0.9)), 1.0);
  } else {
    gl_FragColor = vec4(mix(color, fading, clamp(away / far, 0.0, 1.0)), 1.0);
  }
}`;

function sub(a, b) { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
function unit(a) { const length = Math.hypot(...a); return a.map((value) => value / length); }

function viewMatrix(eye, target, field, aspect) {
  const ahead = unit(sub(target, eye)), right = unit(cross(ahead, [0, 0, 1])), up = cross(right, ahead);
  const focal = 1 / Math.tan(field / 2), near = 0.1, far = 200;
  const rows = [right.map((v) => v * focal / aspect), up.map((v) => v * focal), ahead];
  const shift = rows.map((row) => -dot(row, eye));
  const a = (far + near) / (far - near), b = -2 * far * near / (far - near);
  const matrix = new Float32Array(16);
  for (let column = 0; column < 3; column++) {
    matrix[4 * column] = rows[0][column];
    matrix[4 * column + 1] = rows[1][column];
    matrix[4 * column + 2] = a * rows[2][column];
    matrix[4 * column + 3] = rows[2][column];
  }
  matrix.set([shift[0], shift[1], a * shift[2] + b, shift[2]], 12);
  return matrix;
}

class Player {
  static async make(canvas, figures) {
    const player = new Player();
    player.canvas = canvas;
    player.figures = figures;
    const gl = player.gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser cannot draw: it has no WebGL");
    const skin = figures.skin;
    const [vertices, normals, joints, weights, triangles] = await Promise.all([
      unpack(skin.vertices, "int16"), unpack(skin.normals, "int8"), unpack(skin.joints, "uint16"),
      unpack(skin.weights, "uint8"), unpack(skin.triangles, "uint16"),
    ]);
    Object.assign(player, { joints, weights, count: triangles.length });
    player.vertices = Float32Array.from(vertices, (value) => value * figures.vertex_m);
    player.normals = Float32Array.from(normals, (value) => value / 127);
    player.placed = new Float32Array(2 * vertices.length);
    player.turns = new Float32Array(12 * skin.rest.length);
    player.program = program(gl, VERTEX, FRAGMENT);
    gl.useProgram(player.program);
    player.buffers = [0, 1, 2].map(() => gl.createBuffer());
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, player.buffers[1]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    gl.uniform3fv(player.at("sun"), unit(SUN));
    gl.uniform3fv(player.at("fading"), FLOOR);
    gl.uniform1f(player.at("far"), FAR_LINES_M);
    return player;
  }

  at(name) { return this.gl.getUniformLocation(this.program, name); }

  async load(name) {
    const motion = this.figures.motions[name];
    const steps = await unpack(motion.poses, "uint16"), width = steps.length / motion.frames;
    const poses = new Int16Array(steps.length);
    for (let place = 0; place < steps.length; place++) poses[place] = steps[place] + (place < width ? 0 : poses[place - width]);
    this.motion = { ...motion, poses, width };
    this.seconds = (motion.frames - 1) / this.figures.rate_hz;
  }

  // Draws the motion as it is so many seconds after its beginning.
  draw(seconds) {
    const gl = this.gl, figures = this.figures;
    const exact = Math.min(Math.max(seconds, 0) * figures.rate_hz, this.motion.frames - 1);
    const first = Math.min(Math.floor(exact), Math.max(this.motion.frames - 2, 0)), share = exact - first;
    const last = Math.min(first + 1, this.motion.frames - 1);
    const way = [0, 1].map((axis) => (1 - share) * this.motion.way[first][axis] + share * this.motion.way[last][axis]);
    this.place(first, last, share, way);
    const shifted = (point) => [point[0] + way[0], point[1] + way[1], point[2]];
    const view = viewMatrix(
      shifted(figures.eye), shifted(figures.target), figures.field_of_view_rad, this.canvas.width / this.canvas.height,
    );
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...FLOOR, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.at("view"), false, view);
    gl.uniform2fv(this.at("middle"), way);
    gl.disable(gl.DEPTH_TEST);
    this.drawLines(way);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[0]);
    gl.bufferData(gl.ARRAY_BUFFER, this.placed, gl.DYNAMIC_DRAW);
    this.point("position", 24, 0);
    this.point("normal", 24, 12);
    gl.uniform1f(this.at("flat_"), 1);
    gl.uniform3fv(this.at("color"), SHADOW);
    gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_SHORT, 0);
    gl.enable(gl.DEPTH_TEST);
    gl.uniform1f(this.at("flat_"), 0);
    gl.uniform1f(this.at("lit"), 1);
    gl.uniform3fv(this.at("color"), BODY);
    gl.drawElements(gl.TRIANGLES, this.count, gl.UNSIGNED_SHORT, 0);
  }

  drawLines(way) {
    const gl = this.gl, ends = [];
    for (let meter = -FAR_LINES_M; meter <= FAR_LINES_M; meter++) {
      const x = Math.round(way[0]) + meter, y = Math.round(way[1]) + meter;
      for (let piece = -FAR_LINES_M; piece < FAR_LINES_M; piece++) { // short ones, so that each fades
        ends.push(x, way[1] + piece, 0, x, way[1] + piece + 1, 0, way[0] + piece, y, 0, way[0] + piece + 1, y, 0);
      }
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[2]);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(ends), gl.DYNAMIC_DRAW);
    this.point("position", 12, 0);
    gl.disableVertexAttribArray(gl.getAttribLocation(this.program, "normal"));
    gl.uniform1f(this.at("flat_"), 0);
    gl.uniform1f(this.at("lit"), 0);
    gl.uniform3fv(this.at("color"), LINES);
    gl.drawArrays(gl.LINES, 0, ends.length / 3);
  }

  point(name, stride, offset) {
    const place = this.gl.getAttribLocation(this.program, name);
    this.gl.enableVertexAttribArray(place);
    this.gl.vertexAttribPointer(place, 3, this.gl.FLOAT, false, stride, offset);
  }

  // Moves the skin with its joints, between two frames.
  place(first, last, share, way) {
    const { poses, width } = this.motion, { rest } = this.figures.skin, unitOf = this.figures.place_m, turns = this.turns;
    for (let joint = 0; joint < rest.length; joint++) {
      const a = first * width + 7 * joint, b = last * width + 7 * joint, mixed = [];
      for (let part = 0; part < 7; part++) mixed.push((1 - share) * poses[a + part] + share * poses[b + part]);
      const length = Math.hypot(mixed[3], mixed[4], mixed[5], mixed[6]);
      const [w, x, y, z] = mixed.slice(3).map((value) => value / length), r = rest[joint], m = 12 * joint;
      turns[m] = 1 - 2 * (y * y + z * z); turns[m + 1] = 2 * (x * y - w * z); turns[m + 2] = 2 * (x * z + w * y);
      turns[m + 4] = 2 * (x * y + w * z); turns[m + 5] = 1 - 2 * (x * x + z * z); turns[m + 6] = 2 * (y * z - w * x);
      turns[m + 8] = 2 * (x * z - w * y); turns[m + 9] = 2 * (y * z + w * x); turns[m + 10] = 1 - 2 * (x * x + y * y);
      for (let row = 0; row < 3; row++) {
        const at = m + 4 * row;
        turns[at + 3] = mixed[row] * unitOf + (row < 2 ? way[row] : 0)
          - turns[at] * r[0] - turns[at + 1] * r[1] - turns[at + 2] * r[2];
      }
    }
    const { vertices, normals, joints, weights, placed } = this;
    for (let vertex = 0; vertex < vertices.length / 3; vertex++) {
      const [x, y, z] = [vertices[3 * vertex], vertices[3 * vertex + 1], vertices[3 * vertex + 2]];
      const [a, b, c] = [normals[3 * vertex], normals[3 * vertex + 1], normals[3 * vertex + 2]];
      let px = 0, py = 0, pz = 0, nx = 0, ny = 0, nz = 0, all = 0;
      for (let influence = 0; influence < 4; influence++) {
        const weight = weights[4 * vertex + influence];
        if (weight === 0) continue;
        const m = 12 * joints[4 * vertex + influence];
        all += weight;
        px += weight * (turns[m] * x + turns[m + 1] * y + turns[m + 2] * z + turns[m + 3]);
        py += weight * (turns[m + 4] * x + turns[m + 5] * y + turns[m + 6] * z + turns[m + 7]);
        pz += weight * (turns[m + 8] * x + turns[m + 9] * y + turns[m + 10] * z + turns[m + 11]);
        nx += weight * (turns[m] * a + turns[m + 1] * b + turns[m + 2] * c);
        ny += weight * (turns[m + 4] * a + turns[m + 5] * b + turns[m + 6] * c);
        nz += weight * (turns[m + 8] * a + turns[m + 9] * b + turns[m + 10] * c);
      }
      placed.set([px / all, py / all, pz / all, nx, ny, nz], 6 * vertex);
    }
  }
}

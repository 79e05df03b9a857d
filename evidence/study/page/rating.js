// Leads through a study: a number, motions with a score for each, and a file of answers.

const study = JSON.parse(document.getElementById("study").textContent);
const get = (id) => document.getElementById(id);
const answers = { gambol_study: study.version, study: study.id, experiment: study.experiment, participant: 0, began: "", ended: "", answers: [] };
let player, order = [], shownAt = 0, plays = 0, isWhole = false, isSaved = true, run = 0;

function show(id) {
  for (const section of document.querySelectorAll("section")) section.hidden = section.id !== id;
}

function allow(whole) {
  isWhole = whole;
  for (const button of get("scores").children) button.disabled = !whole;
  get("again").disabled = !whole;
  get("hint").textContent = whole ? "The keys 1 to 9 do as well." : "You can answer when it has ended.";
}

function play() {
  const own = ++run, begins = performance.now();
  plays += 1;
  allow(plays > 1);
  const step = (now) => {
    if (own !== run) return;
    const seconds = Math.max(now - begins, 0) / 1000;
    player.draw(seconds);
    get("done").style.width = `${Math.min(100 * seconds / player.seconds, 100)}%`;
    if (seconds < player.seconds) requestAnimationFrame(step); else allow(true);
  };
  requestAnimationFrame(step);
}

async function next() {
  const number = answers.answers.length;
  if (number === order.length) {
    answers.ended = new Date().toISOString();
    show("end");
    get("save").focus();
    return;
  }
  get("place").textContent = `Motion ${number + 1} of ${order.length}`;
  plays = 0;
  allow(false);
  await player.load(order[number]);
  shownAt = performance.now();
  play();
}

function answer(score) {
  if (get("rating").hidden || !isWhole) return;
  isWhole = false; // one answer, however often a key is pressed
  run += 1;
  const seconds = Math.round(performance.now() - shownAt) / 1000;
  answers.answers.push({ clip: order[answers.answers.length], score, plays, seconds });
  isSaved = false;
  next();
}

function save() {
  const name = `answers-${study.experiment}-${String(answers.participant).padStart(3, "0")}.json`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(answers, null, 1)], { type: "application/json" }));
  link.download = name;
  link.click();
  isSaved = true;
  get("saved").textContent = `Saved as ${name}. You can close this page.`;
}

for (let score = study.lowest; score <= study.highest; score++) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = score;
  button.addEventListener("click", () => answer(score));
  get("scores").append(button);
}
get("again").addEventListener("click", () => { if (isWhole) play(); });
get("save").addEventListener("click", save);
get("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  answers.participant = Number(get("number").value);
  answers.began = new Date().toISOString();
  order = study.orders[answers.participant - 1].map((place) => study.clips[place]);
  show("rating");
  next();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || get("rating").hidden) return;
  const score = Number(event.key);
  if (Number.isInteger(score) && score >= study.lowest && score <= study.highest && event.key !== " ") answer(score);
});
window.addEventListener("beforeunload", (event) => { if (!isSaved) event.preventDefault(); });
Player.make(get("picture"), study.figures).then(
  (made) => { player = made; get("begin").disabled = false; },
  (error) => { get("trouble").textContent = `This page does not work here: ${error.message}`; },
);

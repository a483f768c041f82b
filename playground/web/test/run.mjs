// Tests the playground in Chromium.
//   node --test-reporter=spec test/run.mjs [--require] [--only WORD] [--screenshots FOLDER]
// --require: fail instead of skipping when something is missing.
import "./editor.mjs";
import "./course.mjs";
import "./build.mjs";

// Check GLB files with the Khronos validator: node validate_gltf.mjs FILE...
// Prints a JSON list of {file, errors, warnings, infos, hints, issues}; exits 1 on any error or
// warning, 2 where the validator is not installed (npm install in this folder).
import { readFile } from "node:fs/promises";

let validator;
try {
  validator = (await import("gltf-validator")).default;
} catch {
  console.error("gltf-validator is not installed: run npm install in tools/");
  process.exit(2);
}

const reports = [];
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { maxIssues: 100 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  reports.push({ file, errors: numErrors, warnings: numWarnings, infos: numInfos, hints: numHints, issues: messages });
}
console.log(JSON.stringify(reports, null, 2));
process.exit(reports.some((report) => report.errors + report.warnings > 0) ? 1 : 0);

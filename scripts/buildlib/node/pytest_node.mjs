// node pytest_node.mjs <job.json>: pytest_pyodide.mjs under Node. The job names files; see pyodide_tests.py.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runPytest } from "./pytest_pyodide.mjs";

const job = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const read = (/** @type {string} */ name) => new Uint8Array(fs.readFileSync(name));
const { loadPyodide } = await import(pathToFileURL(path.join(job.runtime, "pyodide.mjs")).href);
const { exitCode, junit } = await runPytest(loadPyodide, {
  indexURL: job.runtime,
  archives: job.archives.map(read),
  repository: read(job.repository),
  args: job.args,
  write: (text) => process.stdout.write(text),
});
fs.writeFileSync(job.junit, junit);
process.exit(exitCode);

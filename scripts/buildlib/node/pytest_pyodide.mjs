// Run pytest inside Pyodide: the same for Node and for a browser's worker, which differ in how they read files.
//
// `archives` are unpacked into site-packages, `repository` becomes /repo with the package's own sources on the
// path. Tests run in one promise-aware call, so a synchronous test may wait for a promise (JSPI).

const RUN = `
import importlib, os, sys
importlib.invalidate_caches()
sys.path[:0] = ["/repo/app", "/repo/tests"]
sys.dont_write_bytecode = True
os.environ["CI"] = "1"  # hypothesis then sets no deadline per example and repeats itself
os.chdir("/repo")
import pytest
int(pytest.main(ARGUMENTS.to_py() + ["-p", "no:cacheprovider", "--junitxml=/tmp/junit.xml"]))
`;

/**
 * @param {(options: object) => Promise<any>} loadPyodide
 * @param {{ indexURL: string, archives: Uint8Array[], repository: Uint8Array, args: string[],
 *           write: (text: string) => void }} job
 * @returns {Promise<{ exitCode: number, junit: string }>}
 */
export async function runPytest(loadPyodide, { indexURL, archives, repository, args, write }) {
  const py = await loadPyodide({ indexURL, env: { HOME: "/home/pyodide" } });
  const decoder = new TextDecoder();
  const output = { write: (/** @type {Uint8Array} */ bytes) => (write(decoder.decode(bytes, { stream: true })), bytes.length) };
  py.setStdout(output);
  py.setStderr(output);
  const site = py.runPython("import site; site.getsitepackages()[0]");
  for (const archive of archives) py.unpackArchive(archive, "zip", { extractDir: site });
  py.unpackArchive(repository, "zip", { extractDir: "/repo" });
  py.globals.set("ARGUMENTS", args);
  // After a fatal error (out of memory, out of stack) the call below would never settle.
  const fatal = new Promise((_, reject) => {
    py._api.on_fatal = reject;
  });
  const exitCode = await Promise.race([py.runPythonAsync(RUN), fatal]);
  return { exitCode, junit: py.FS.readFile("/tmp/junit.xml", { encoding: "utf8" }) };
}

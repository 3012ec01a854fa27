// node assemble_wat.mjs <source.wat> <target.wasm>
import fs from "node:fs";
import path from "node:path";
import wabt from "wabt";

const [source, target] = process.argv.slice(2);
const toolkit = await wabt();
const features = { simd: true, threads: true }; // of threads only that memory may be shared
const module = toolkit.parseWat(path.basename(source), fs.readFileSync(source, "utf8"), features);
module.resolveNames();
module.validate(features);
fs.writeFileSync(target, module.toBinary({ write_debug_names: false }).buffer);

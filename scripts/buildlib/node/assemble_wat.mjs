// node assemble_wat.mjs <source.wat> <target.wasm>
import fs from "node:fs";
import path from "node:path";
import wabt from "wabt";

const [source, target] = process.argv.slice(2);
const toolkit = await wabt();
const module = toolkit.parseWat(path.basename(source), fs.readFileSync(source, "utf8"), { simd: true });
module.resolveNames();
module.validate();
fs.writeFileSync(target, module.toBinary({ write_debug_names: false }).buffer);

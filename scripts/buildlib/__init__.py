"""The parts of `scripts/build.py`, one idea per module.

Reading order: `paths` and `console` are used by all; `lock` says which files are wanted and `fetch` gets
them (through `registry`, `download`, `remote_file`); `environment` makes `.venv` and `node_modules`;
`extension` and `demo` assemble `dist/` from what `python_archives`, `snapshot`, `embedder`, `kernel` and
`vendor` build; `dist_checks` judges the result; `steps` runs every check of the project.

Everything that runs before the environment exists (`paths`, `console`, `lock`, `fetch`, `registry`,
`download`, `remote_file`, `environment`, `chromium`) uses the standard library alone.
"""

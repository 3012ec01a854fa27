"""The parts of `scripts/build.py`, one idea per module.

    commands            the subcommands
    paths, console      used by all
    lock, fetch         which third-party files are wanted, and getting them
                        (through registry, download, remote_file)
    environment         .venv and node_modules
    chromium            finding or installing the browser

    extension, demo     assemble dist/, from
      vendor            third-party JavaScript, freed of URLs
      python_archives   the Python side, compiled inside Pyodide
      snapshot          the memory of a started Python
      embedder          the model, built by minilm_onnx
      kernel            the SIMD kernel
      notice            licences
    archives, built, stamps, node_pyodide
                        deterministic zips, cached intermediates, up-to-date checks, Pyodide under Node
    typedefs            JavaScript types of the message schema

    showcase            `run`, with the server of serve
    steps               `test`: every check as a named step
    dist_checks, pyodide_tests, junit
                        what the steps call

What runs before the environment exists (the first block) uses the standard library alone.
"""

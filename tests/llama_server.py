"""Runs llama.cpp's own server over a model until its input ends; prints its address.

python llama_server.py MODEL.gguf KEY
"""

import sys

import xllamacpp

CONTEXT_TOKENS = 1024


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.model_alias = ["smollm2"]
    params.api_keys = [sys.argv[2]]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.endpoint_slots = True
    params.use_jinja = True
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

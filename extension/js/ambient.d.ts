// What the type checker cannot know: vendored files, and worker APIs absent from TypeScript's DOM library.

declare module "*/pyodide.mjs" {
  export function loadPyodide(options: object): Promise<any>;
}

declare module "*/ort.jspi.min.mjs" {
  export const env: any;
  export const InferenceSession: { create(model: Uint8Array, options: object): Promise<any> };
  export const Tensor: new (type: string, data: ArrayBufferView, dims: number[]) => any;
}

/** What is used of the WebAssembly module of ONNX Runtime; the names beginning with an underscore are C functions. */
interface OrtModule {
  readonly HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(at: number): void;
  setValue(at: number, value: number, type: "i32"): void;
  getValue(at: number, type: "i32" | "*"): number;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, at: number, maxBytes: number): void;
  UTF8ToString(at: number): string;
  _OrtCreateTensor(type: number, at: number, size: number, dims: number, rank: number, location: number): number;
  _OrtReleaseTensor(tensor: number): number;
  _OrtGetTensorData(tensor: number, type: number, data: number, dims: number, rank: number): number;
  _OrtGetLastError(code: number, text: number): void;
  _OrtFree(at: number): number;
  _OrtRun(
    session: number,
    inputNames: number,
    inputs: number,
    nInputs: number,
    outputNames: number,
    nOutputs: number,
    outputs: number,
    options: number,
  ): Promise<number>;
}

declare module "*/ort-wasm-simd-threaded.jspi.mjs" {
  export default function (config: object): Promise<OrtModule>;
}

declare module "*/pdfjs/pdf.min.mjs";

declare module "*/tokenizers/index.js";

/** Left on the global object by pdf_view.js, in the viewer alone. */
declare var tabwisePdf: ((send: (event: object) => void) => Record<string, any>) | undefined;

/** Left on the global object by vendor/tokenizers. */
declare var tokenizers: {
  Tokenizer: {
    fromJSON(json: ArrayBuffer): Promise<{ encode(text: string): Int32Array; decode(tokens: Int32Array): string }>;
  };
};

/** The Summarizer API and the Prompt API, where the browser has them. */
interface Window {
  LanguageModel: {
    availability(): Promise<string>;
    create(options: object): Promise<any>;
  };
  Summarizer: {
    availability(): Promise<string>;
    create(options: object): Promise<{
      summarize(text: string, options: object): Promise<string>;
      destroy(): void;
    }>;
  };
}

interface FileSystemSyncAccessHandle {
  read(buffer: ArrayBufferView, options?: { at: number }): number;
  write(buffer: ArrayBufferView, options?: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

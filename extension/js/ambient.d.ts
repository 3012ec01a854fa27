// What the type checker cannot know: vendored files, and worker APIs absent from TypeScript's DOM library.

declare module "*/pyodide.mjs" {
  export function loadPyodide(options: object): Promise<any>;
}

declare module "*/ort.jspi.bundle.min.mjs" {
  export const env: any;
  export const InferenceSession: { create(model: Uint8Array, options: object): Promise<any> };
  export const Tensor: new (type: string, data: ArrayBufferView, dims: number[]) => any;
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

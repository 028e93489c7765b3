/** As much of it as is used: neither Node's types nor the language's have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

/** A number that a module exports. */
export interface Global {
  readonly value: number
}

/** What a module exports that is committed as text (`npm run build-wasm`). Throws where WebAssembly is forbidden. */
export function instantiate(base64: string): Readonly<Record<string, unknown>> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
}
